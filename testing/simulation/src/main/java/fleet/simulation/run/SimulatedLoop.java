package fleet.simulation.run;

import fleet.coordination.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A loop of a simulated process; each of its turns is a simulated thread. */
final class SimulatedLoop implements EventLoop {

  private final SimulatedProcess process;
  private final String name;
  private final Runnable turnEnd;
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private final List<Runnable> callers = new ArrayList<>();
  private @Nullable Thread turn;
  private boolean turning;
  private boolean closed;
  private CompletableFuture<Boolean> turned = CompletableFuture.completedFuture(true);

  SimulatedLoop(SimulatedProcess process, String name, Runnable turnEnd) {
    this.process = process;
    this.name = name;
    this.turnEnd = turnEnd;
  }

  @Override
  public void post(Runnable work) {
    if (!closed) {
      queue.add(work);
      wake();
    }
  }

  private void wake() {
    if (!turning) {
      turning = true;
      turned = new CompletableFuture<>();
      process.spawn(name, this::turn);
    }
  }

  private void turn() {
    turn = Thread.currentThread();
    while (!closed && !queue.isEmpty()) {
      guarded(queue.removeFirst());
    }
    if (!closed) {
      guarded(turnEnd);
    }
    turn = null;
    turning = false;
    turned.complete(true);
    if (!closed && !queue.isEmpty()) {
      wake();
    }
  }

  /** A loop that ships logs such a fault and goes on; here it counts as found. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      process.simulation().remark(process.name() + " " + name + ": unexpected fault: " + e);
      process.simulation().fault(e);
    }
  }

  @Override
  public Timer postAfter(Duration delay, Runnable work) {
    var wanted = new AtomicBoolean(true);
    process.after(
        delay,
        () -> {
          if (wanted.get()) {
            post(() -> {
              if (wanted.get()) {
                work.run();
              }
            });
          }
        });
    return () -> wanted.set(false);
  }

  @Override
  public void postEvery(Duration period, Runnable work) {
    process.after(
        period,
        () -> {
          if (!closed) {
            post(work);
            postEvery(period, work);
          }
        });
  }

  @Override
  public long nanoTime() {
    return process.simulation().now();
  }

  @Override
  public void beside(String thread, Runnable work) {
    process.spawn(thread, work);
  }

  @Override
  public <T> T call(Callable<T> work) {
    if (closed) {
      throw new IllegalStateException("stopped");
    }
    if (Thread.currentThread().equals(turn)) {
      throw new IllegalStateException(name + " would wait for itself");
    }
    var result = new CompletableFuture<T>();
    Runnable cancel = () -> result.cancel(false);
    callers.add(cancel);
    post(() -> complete(result, work));
    try {
      return result.join();
    } catch (CancellationException e) {
      throw new IllegalStateException("stopped", e);
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      callers.remove(cancel);
    }
  }

  private static <T> void complete(CompletableFuture<T> result, Callable<T> work) {
    try {
      result.complete(work.call());
    } catch (Exception e) {
      result.completeExceptionally(e);
    }
  }

  @Override
  public boolean answersWithin(Duration time) {
    var answered = new CompletableFuture<Boolean>();
    post(() -> answered.complete(true));
    process.after(time, () -> answered.complete(false));
    return answered.join();
  }

  /** Ends after the work at hand, for which others wait. */
  @Override
  public void close() {
    closed = true;
    queue.clear();
    List.copyOf(callers).forEach(Runnable::run);
    if (!Thread.currentThread().equals(turn)) {
      boolean _ = turned.join();
    }
  }
}
