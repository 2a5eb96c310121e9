package fleet.fleetd;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Handles signals to fleetd, each on a thread of its own, so handlers may overlap.
 *
 * <p>Left alone, the JVM would end with 143 at SIGTERM and at SIGHUP, and a service that stops that
 * way has failed in the eyes of systemd.
 */
final class Signals {
  private Signals() {}

  /** Handlers of signals; they may block. */
  interface Handler {
    /** SIGTERM, SIGINT. */
    void stop();

    /** SIGHUP. */
    void reload();

    /** SIGUSR1. */
    void dump();
  }

  static void handle(Handler handler) {
    on("TERM", handler::stop);
    on("INT", handler::stop);
    on("HUP", handler::reload);
    on("USR1", handler::dump);
  }

  /**
   * Calls {@code sun.misc.Signal} by reflection. That class (module {@code jdk.unsupported}) is the
   * JDK's only way to signals, and stays until there is another (JEP 260). But javac warns of it,
   * no option or annotation silences the warning together with {@code --release}, and warnings are
   * errors here. A handler set through the foreign function API would run Java inside the signal,
   * where the JVM must not be entered.
   */
  private static void on(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> listener = Class.forName("sun.misc.SignalHandler");
      Method handle = signal.getMethod("handle", signal, listener);
      Object proxy =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
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
}
