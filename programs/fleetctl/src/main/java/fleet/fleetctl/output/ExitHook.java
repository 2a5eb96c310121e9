package fleet.fleetctl.output;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Something to do if the program ends in the middle of something, by itself or by a signal. Safe
 * for use by many threads.
 */
public final class ExitHook implements AutoCloseable {

  private static final Set<ExitHook> ADDED = ConcurrentHashMap.newKeySet();

  private final Thread thread;

  /**
   * @throws IllegalStateException if the program is ending
   */
  public ExitHook(String name, Runnable action) {
    thread = Thread.ofPlatform().name(name).unstarted(action);
    Runtime.getRuntime().addShutdownHook(thread);
    ADDED.add(this);
  }

  /** Takes it away; false if the program is ending, and the hook runs. */
  public boolean remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException ending) {
      return false;
    }
    ADDED.remove(this);
    return true;
  }

  @Override
  public void close() {
    boolean _ = remove();
  }

  /** Whether the program can be halted, and nothing is lost. */
  public static boolean areNone() {
    return ADDED.isEmpty();
  }
}
