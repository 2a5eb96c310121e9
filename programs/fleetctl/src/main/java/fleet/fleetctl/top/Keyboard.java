package fleet.fleetctl.top;

import fleet.fleetctl.output.TerminalMode;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntConsumer;

/** The keys of a terminal, one by one as they are pressed. */
public final class Keyboard {

  private Keyboard() {}

  /**
   * Takes over the keys of a terminal.
   *
   * @param pressed called with each key, on a thread of its own
   * @return to be closed, which gives them back; empty if it is no terminal
   */
  public static Optional<TerminalMode> open(Path terminal, IntConsumer pressed) {
    Optional<TerminalMode> mode = TerminalMode.set(terminal, "-icanon", "-echo", "min", "1");
    if (mode.isPresent()) {
      Thread.ofPlatform().daemon().name("keys").start(() -> read(terminal, pressed));
    }
    return mode;
  }

  private static void read(Path terminal, IntConsumer pressed) {
    try (InputStream keys = new FileInputStream(terminal.toFile())) {
      for (int key = keys.read(); key >= 0; key = keys.read()) {
        pressed.accept(key);
      }
    } catch (IOException gone) {
      // The terminal is gone, and the program is about to hear of it.
    }
  }
}
