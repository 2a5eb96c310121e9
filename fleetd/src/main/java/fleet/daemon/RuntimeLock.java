package fleet.daemon;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a second fleetd off the units of this machine: two would each take the other's marks for
 * its own. The kernel lets go of it when this process ends, however it ends.
 */
final class RuntimeLock implements AutoCloseable {

  private final FileChannel channel;

  private RuntimeLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock; at most once in a process.
   *
   * @throws FatalException where another process has it, and which
   */
  static RuntimeLock take(Path runtimeDirectory) throws FatalException {
    Path file = runtimeDirectory.resolve("fleetd.lock");
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        channel.close();
        throw taken(runtimeDirectory, Files.readString(file).strip());
      }
      channel.truncate(0);
      String pid = ProcessHandle.current().pid() + "\n";
      channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
      return new RuntimeLock(channel);
    } catch (IOException e) {
      throw new FatalException(file + " cannot be locked: " + Failures.describe(e), e);
    }
  }

  private static FatalException taken(Path runtimeDirectory, String pid) {
    return new FatalException(
        "another fleetd (pid %s) runs this machine's units, with runtime_directory %s; stop it first"
            .formatted(pid.isEmpty() ? "unknown" : pid, runtimeDirectory));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
