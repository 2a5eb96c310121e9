package fleet.registry;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits that wait for the one thread that writes to a store. Safe for use by many threads.
 *
 * @param <C> a commit on its way
 */
public final class CommitQueue<C extends CommitQueue.Commit> {

  private static final Logger log = LoggerFactory.getLogger(CommitQueue.class);

  private final Supplier<RegistryException> refusal;
  private final Deque<C> waiting = new ArrayDeque<>();
  private boolean closed;

  /** A commit on its way. */
  public interface Commit {
    /** Completed by the thread that writes. */
    CompletableFuture<Outcome> outcome();
  }

  /**
   * @param refusal what commits are refused with once this is closed
   */
  public CommitQueue(Supplier<RegistryException> refusal) {
    this.refusal = refusal;
  }

  /** Waits until all of them are decided; throws what the first failed one met. */
  public List<Outcome> commit(List<C> commits) {
    synchronized (waiting) {
      if (closed) {
        throw refusal.get();
      }
      waiting.addAll(commits);
      waiting.notifyAll();
    }
    try {
      CompletableFuture.allOf(
              commits.stream().map(Commit::outcome).toArray(CompletableFuture[]::new))
          .exceptionally(_ -> null)
          .join();
      return commits.stream().map(commit -> commit.outcome().join()).toList();
    } catch (CompletionException e) {
      throw rethrown(e);
    }
  }

  /** With the stack of the one who waits. */
  private static RuntimeException rethrown(CompletionException e) {
    return switch (e.getCause()) {
      case AnotherStoreException fault -> new AnotherStoreException(fault.getMessage());
      case LeaseEndedException fault -> new LeaseEndedException(fault.getMessage(), fault);
      case OutcomeUnknownException fault -> new OutcomeUnknownException(fault.getMessage(), fault);
      case RegistryException fault -> new RegistryException(fault.getMessage(), fault);
      case null, default -> e;
    };
  }

  /**
   * Waits for commits, and takes the first ones. For the thread that writes, which ends once this
   * takes none: it is closed, and all are done.
   *
   * @param taker takes a commit, unless it must wait; takes the first one
   */
  public void take(Predicate<C> taker) {
    synchronized (waiting) {
      while (waiting.isEmpty() && !closed) {
        try {
          waiting.wait();
        } catch (InterruptedException e) {
          log.debug("the registry's writer goes on until it is closed", e);
        }
      }
      while (!waiting.isEmpty() && taker.test(waiting.getFirst())) {
        waiting.removeFirst();
      }
    }
  }

  /** Lets no more in. */
  public void close() {
    synchronized (waiting) {
      closed = true;
      waiting.notifyAll();
    }
  }
}
