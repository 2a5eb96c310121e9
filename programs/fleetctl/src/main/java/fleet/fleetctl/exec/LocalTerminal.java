package fleet.fleetctl.exec;

import fleet.core.question.TerminalWindow;
import fleet.fleetctl.output.TerminalMode;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The terminal of this process, while it is that of a command elsewhere. */
public final class LocalTerminal implements AutoCloseable {

  private final Optional<TerminalMode> mode;

  private LocalTerminal(Optional<TerminalMode> mode) {
    this.mode = mode;
  }

  /** From now on each key goes to the command, Ctrl-C as well. */
  public static LocalTerminal raw() {
    return new LocalTerminal(TerminalMode.set(TerminalMode.TERMINAL, "raw", "-echo"));
  }

  /** The size of the terminal; the usual one if it does not say. */
  public static TerminalWindow window() {
    return TerminalMode.stty(TerminalMode.TERMINAL, List.of("size"))
        .flatMap(LocalTerminal::window)
        .orElse(TerminalWindow.USUAL);
  }

  /** Reads what {@code stty size} prints; empty if that is no size. */
  static Optional<TerminalWindow> window(String size) {
    String[] numbers = size.split(" ", -1);
    try {
      return numbers.length == 2
          ? Optional.of(
              new TerminalWindow(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1])))
          : Optional.empty();
    } catch (IllegalArgumentException noWindow) {
      return Optional.empty();
    }
  }

  /**
   * Follows the size.
   *
   * @param changed gets each new size, on a thread of its own
   */
  public void onResize(Consumer<TerminalWindow> changed) {
    onSignal("WINCH", () -> changed.accept(window()));
  }

  /** Calls the class by reflection, as {@code Signals} of fleetd does, which says why. */
  private static void onSignal(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> listener = Class.forName("sun.misc.SignalHandler");
      Method handle = signal.getMethod("handle", signal, listener);
      Object proxy =
          Proxy.newProxyInstance(
              LocalTerminal.class.getClassLoader(),
              new Class<?>[] {listener},
              (self, method, arguments) -> called(method, action));
      var _ = handle.invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java runtime cannot handle SIG" + name, e);
    }
  }

  private static @Nullable Object called(Method method, Runnable action) {
    if (method.getName().equals("handle")) {
      action.run();
    }
    return null;
  }

  @Override
  public void close() {
    mode.ifPresent(TerminalMode::close);
  }
}
