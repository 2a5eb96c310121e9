package fleet.testkit;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What goes on beside a test. Each has a thread of its own, and none of the common pool: on that
 * the JDK tells the ends of processes, which whoever waits there would hold up.
 */
public final class Beside {

  private Beside() {}

  /** Does it now, and gives what it returns or throws. */
  public static <T> CompletableFuture<T> the(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, task -> Thread.ofVirtual().start(task));
  }
}
