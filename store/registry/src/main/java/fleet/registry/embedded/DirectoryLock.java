package fleet.registry.embedded;

import fleet.registry.RegistryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keeps a second fleetd off the directory; the kernel releases it when this process ends. */
final class DirectoryLock implements AutoCloseable {

  /**
   * The locks of this process. Static because the kernel's lock is the process's own: closing
   * another descriptor of the same file, as a second attempt would, releases it.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private DirectoryLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @throws RegistryException if another has it, and who
   */
  static DirectoryLock take(RegistryFiles files) {
    Path file = files.path(RegistryFiles.LOCK);
    if (!HELD.add(file)) {
      throw taken(files, Long.toString(ProcessHandle.current().pid()));
    }
    DirectoryLock lock = null;
    try {
      lock = open(file);
      if (lock == null) {
        throw taken(files, Files.readString(file).strip());
      }
      return lock;
    } catch (IOException e) {
      throw RegistryFiles.unusable(file, e);
    } finally {
      if (lock == null) {
        HELD.remove(file);
      }
    }
  }

  private static @Nullable DirectoryLock open(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        return null;
      }
      channel.truncate(0);
      String pid = ProcessHandle.current().pid() + "\n";
      channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
      return new DirectoryLock(file, channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static RegistryException taken(RegistryFiles files, String pid) {
    return new RegistryException(
        "another fleetd (pid %s) uses %s; stop it, or give this one its own data directory"
            .formatted(pid.isEmpty() ? "unknown" : pid, files.directory()));
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw RegistryFiles.unusable(file, e);
    } finally {
      HELD.remove(file);
    }
  }
}
