package fleet.fleetctl.output;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A terminal with settings of ours. Also when the program is ended, it gets its former settings
 * back.
 */
public final class TerminalMode implements AutoCloseable {

  /** The terminal of this process. */
  public static final Path TERMINAL = Path.of("/dev/tty");

  private static final long PATIENCE_SECONDS = 2;

  private final Path terminal;
  private final String former;
  private final ExitHook hook;

  private TerminalMode(Path terminal, String former) {
    this.terminal = terminal;
    this.former = former;
    this.hook = new ExitHook("terminal", this::restore);
  }

  /**
   * Changes settings.
   *
   * @param settings as stty takes them
   * @return empty if it is no terminal
   */
  public static Optional<TerminalMode> set(Path terminal, String... settings) {
    Optional<String> former = stty(terminal, List.of("-g")).filter(text -> !text.isEmpty());
    if (former.isEmpty() || stty(terminal, List.of(settings)).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new TerminalMode(terminal, former.get()));
  }

  /** The output of stty; empty if it fails. */
  public static Optional<String> stty(Path terminal, List<String> arguments) {
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
    var _ = stty(terminal, List.of(former));
  }

  @Override
  public void close() {
    if (hook.remove()) {
      restore();
    }
  }
}
