package fleet.engine;

import fleet.cluster.ClusterUnavailableException;
import fleet.coordination.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * Revisions and conditions that readers of a state wait for. Owned by the state thread, except for
 * the waiting itself.
 */
final class RevisionWaiters {

  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final EventLoop loop;
  private final TreeMap<Long, List<CompletableFuture<Void>>> revisions = new TreeMap<>();

  /** The results of conditions that are still polled. */
  private final List<CompletableFuture<Boolean>> hopes = new ArrayList<>();

  RevisionWaiters(EventLoop loop) {
    this.loop = loop;
  }

  /** Completed once the state has reached a revision. */
  void revision(long wanted, CompletableFuture<Void> seen) {
    revisions.computeIfAbsent(wanted, _ -> new ArrayList<>()).add(seen);
  }

  /** The state has reached a revision. */
  void met(long revision) {
    var reached = revisions.headMap(revision, true);
    reached.values().forEach(list -> list.forEach(waiter -> waiter.complete(null)));
    reached.clear();
  }

  /**
   * Polls a condition for which no event exists.
   *
   * @param answer completed with whether it was so within the time
   */
  void hope(BooleanSupplier so, Duration atMost, CompletableFuture<Boolean> answer) {
    hopes.add(answer);
    look(so, loop.nanoTime() + atMost.toNanos(), answer);
  }

  private void look(BooleanSupplier so, long until, CompletableFuture<Boolean> answer) {
    boolean is = so.getAsBoolean();
    if (is || loop.nanoTime() - until >= 0) {
      answer.complete(is);
      hopes.removeIf(CompletableFuture::isDone);
    } else {
      loop.postAfter(LOOK_AGAIN, () -> look(so, until, answer));
    }
  }

  /** Fails all waiters: the loop is closed. */
  void end() {
    revisions.values().forEach(list -> list.forEach(waiter -> waiter.cancel(false)));
    hopes.forEach(waiter -> waiter.cancel(false));
  }

  // ---- on any other thread

  /**
   * Waits for as long as the loop's time says.
   *
   * @param otherwise the message if it takes longer
   */
  <T> T await(CompletableFuture<T> coming, Duration atMost, String otherwise) {
    if (!coming.isDone()) {
      loop.postAfter(
          atMost, () -> coming.completeExceptionally(new ClusterUnavailableException(otherwise)));
    }
    return await(coming, otherwise);
  }

  /**
   * Waits.
   *
   * @param otherwise the message if it fails without a reason
   * @throws StateClosedException if the state is closed before
   */
  static <T> T await(CompletableFuture<T> coming, String otherwise) {
    try {
      return coming.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterUnavailableException("interrupted", e);
    } catch (CancellationException e) {
      throw new StateClosedException(e);
    } catch (ExecutionException e) {
      throw switch (Objects.requireNonNullElse(e.getCause(), e)) {
        case CancellationException closed -> new StateClosedException(closed);
        case ClusterUnavailableException unavailable ->
            new ClusterUnavailableException(
                Objects.requireNonNullElse(unavailable.getMessage(), otherwise), unavailable);
        case Throwable fault -> new ClusterUnavailableException(fault.toString(), fault);
      };
    }
  }
}
