package fleet.fleetctl.top;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * The keys of a terminal, one by one as they are pressed. Also when the program is ended, the
 * terminal gets its former settings back.
 */
public final class Keyboard implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 2;

  private final Path terminal;
  private final String settings;
  private final Thread hook;

  private Keyboard(Path terminal, String settings) {
    this.terminal = terminal;
    this.settings = settings;
    this.hook = Thread.ofPlatform().name("terminal").unstarted(this::restore);
  }

  /**
   * Takes over the keys of a terminal.
   *
   * @param pressed called with each key, on a thread of its own
   * @return empty if it is no terminal
   */
  public static Optional<Keyboard> open(Path terminal, IntConsumer pressed) {
    Optional<String> settings = stty(terminal, List.of("-g")).filter(text -> !text.isEmpty());
    if (settings.isEmpty() || stty(terminal, List.of("-icanon", "-echo", "min", "1")).isEmpty()) {
      return Optional.empty();
    }
    Keyboard keyboard = new Keyboard(terminal, settings.get());
    Runtime.getRuntime().addShutdownHook(keyboard.hook);
    Thread.ofPlatform().daemon().name("keys").start(() -> read(terminal, pressed));
    return Optional.of(keyboard);
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

  /** The output of stty; empty if it fails. */
  private static Optional<String> stty(Path terminal, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("stty"));
    command.addAll(arguments);
    try {
      Process stty =
          new ProcessBuilder(command)
              .redirectInput(terminal.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      boolean ended = stty.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return ended && stty.exitValue() == 0 ? Optional.of(said) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private void restore() {
    var _ = stty(terminal, List.of(settings));
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      return;
    }
    restore();
  }
}
