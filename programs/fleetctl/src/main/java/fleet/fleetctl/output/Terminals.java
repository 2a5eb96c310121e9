package fleet.fleetctl.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells terminals from files and pipes, without the cost of {@link java.io.Console}. */
public final class Terminals {

  private Terminals() {}

  /** Whether a file descriptor of this process is a terminal. */
  public static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException unknown) {
      return false;
    }
  }
}
