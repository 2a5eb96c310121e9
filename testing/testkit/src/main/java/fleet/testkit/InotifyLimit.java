package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How many inotify instances the kernel allows root. All machines share them, each takes about six,
 * and a systemd that gets none does not boot; the kernel's default of 128 is enough for twenty.
 */
final class InotifyLimit {

  private static final Path INSTANCES = Path.of("/proc/sys/fs/inotify/max_user_instances");
  private static final int ENOUGH = 1024;

  private InotifyLimit() {}

  /** Raises it when it is too low for many machines. It stays so until this machine is rebooted. */
  static void raise() {
    try {
      if (Integer.parseInt(Files.readString(INSTANCES).strip()) < ENOUGH) {
        Files.writeString(INSTANCES, Integer.toString(ENOUGH));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot raise %s to %d, which many machines need: %s"
              .formatted(INSTANCES, ENOUGH, e.getMessage()),
          e);
    }
  }
}
