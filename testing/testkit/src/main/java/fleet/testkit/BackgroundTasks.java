package fleet.testkit;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Work beside a test. Each piece has a thread of its own, and none of the common pool: on that the
 * JDK tells the ends of processes, which a piece that waits there would hold up.
 */
public final class BackgroundTasks {

  private BackgroundTasks() {}

  /** Does something to each, all at once, and returns when all of it is done. */
  public static <T> void each(Collection<T> all, Consumer<T> work) {
    CompletableFuture.allOf(
            all.stream()
                .map(one ->
                    CompletableFuture.runAsync(() -> work.accept(one), BackgroundTasks::start))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  private static void start(Runnable task) {
    Thread.ofVirtual().start(task);
  }

  /** Does it now, and gives what it returns or throws. */
  public static <T> CompletableFuture<T> the(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, BackgroundTasks::start);
  }
}
