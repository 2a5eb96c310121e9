package fleet.fleetctl.output;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Hooks that run when the program ends, by itself or by a signal. Safe for use by many threads. */
public final class ExitHooks {

  private static final Set<Thread> ADDED = ConcurrentHashMap.newKeySet();

  private ExitHooks() {}

  /**
   * Adds a hook.
   *
   * @throws IllegalStateException if the program is ending
   */
  public static void add(Thread hook) {
    Runtime.getRuntime().addShutdownHook(hook);
    ADDED.add(hook);
  }

  /** Removes a hook; false if the program is ending, and the hook runs. */
  public static boolean remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      return false;
    }
    ADDED.remove(hook);
    return true;
  }

  /** Whether the program can be halted, and nothing is lost. */
  public static boolean areNone() {
    return ADDED.isEmpty();
  }
}
