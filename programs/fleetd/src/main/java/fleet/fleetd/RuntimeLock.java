package fleet.fleetd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Keeps a second fleetd off the units of this machine: two would each take the other's marks for
 * its own. The kernel releases it when this process ends, however it ends.
 *
 * <p>A user who may read the file may lock it, and keep fleetd from starting. So it is for its user
 * alone; one of an earlier version, which everybody could read, is replaced.
 */
final class RuntimeLock implements AutoCloseable {

  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rw-------");

  private final FileChannel channel;

  private RuntimeLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock; at most once in a process.
   *
   * @throws FatalException if another process has it, and which
   */
  static RuntimeLock take(Path runtimeDirectory) throws FatalException {
    Path file = runtimeDirectory.resolve("fleetd.lock");
    try {
      if (Files.exists(file) && !Files.getPosixFilePermissions(file).equals(PRIVATE)) {
        replace(file, runtimeDirectory);
      }
      FileChannel channel = FileChannel.open(file, forWriting(), ownerOnly());
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

  /** A lock on the old file counts if the fleetd that is named in it lives. */
  private static void replace(Path file, Path runtimeDirectory) throws IOException, FatalException {
    try (FileChannel old = FileChannel.open(file, StandardOpenOption.WRITE)) {
      String pid = Files.readString(file).strip();
      if (old.tryLock() == null && isOurs(pid)) {
        throw taken(runtimeDirectory, pid);
      }
      Path next = file.resolveSibling("fleetd.lock.new");
      Files.deleteIfExists(next);
      FileChannel.open(next, forWriting(), ownerOnly()).close();
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static Set<StandardOpenOption> forWriting() {
    return Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static FileAttribute<?> ownerOnly() {
    return PosixFilePermissions.asFileAttribute(PRIVATE);
  }

  private static boolean isOurs(String pid) {
    try {
      Path process = Path.of("/proc", pid.isEmpty() ? "none" : pid);
      return Files.getAttribute(process, "unix:uid")
          .equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException noSuchProcess) {
      return false;
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
