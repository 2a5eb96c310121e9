package fleet.registry.embedded;

import fleet.registry.CompactedException;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * The newest changes, for watches to read at their own pace. Bounded: a watch that falls behind
 * what is kept has to start over. Kept in memory alone, as nobody watches across a restart of
 * fleetd; it begins at the revision that the store was opened with. Safe for many threads.
 */
final class ChangeLog {

  /** The weight of a change besides its texts, in bytes, roughly. */
  private static final long OVERHEAD = 200;

  private final TreeMap<Long, Delta> kept = new TreeMap<>();
  private final int maxRevisions;
  private final long maxBytes;
  private long forgotten;
  private long bytes;

  /**
   * An empty log.
   *
   * @param revision the last one that is not in the log
   */
  ChangeLog(long revision, int maxRevisions, long maxBytes) {
    this.forgotten = revision;
    this.maxRevisions = maxRevisions;
    this.maxBytes = maxBytes;
  }

  synchronized void append(Delta delta) {
    kept.put(delta.revision(), delta);
    bytes += weight(delta);
    while (kept.size() > maxRevisions || (bytes > maxBytes && kept.size() > 1)) {
      Map.Entry<Long, Delta> oldest = kept.pollFirstEntry();
      forgotten = oldest.getKey();
      bytes -= weight(oldest.getValue());
    }
    notifyAll();
  }

  /** Refuses revisions whose successors are gone. */
  synchronized void check(long afterRevision) {
    if (afterRevision < forgotten) {
      throw new CompactedException(afterRevision, forgotten + 1);
    }
  }

  /**
   * Waits for the next change; empty when told to stop, see {@link #wake}.
   *
   * @throws CompactedException if it is gone already
   */
  synchronized Optional<Delta> next(long afterRevision, BooleanSupplier stop) {
    while (!stop.getAsBoolean()) {
      check(afterRevision);
      Map.Entry<Long, Delta> next = kept.higherEntry(afterRevision);
      if (next != null) {
        return Optional.of(next.getValue());
      }
      try {
        wait();
      } catch (InterruptedException _) {
        // Does not end the watch, which would never learn why nothing comes.
      }
    }
    return Optional.empty();
  }

  /** Lets everybody who waits see whether to stop. */
  synchronized void wake() {
    notifyAll();
  }

  private static long weight(Delta delta) {
    return delta.changes().stream().mapToLong(ChangeLog::weight).sum();
  }

  private static long weight(Change change) {
    return OVERHEAD
        + switch (change) {
          case Change.Written written -> written.key().length() + written.entry().value().length();
          case Change.Deleted deleted -> deleted.key().length();
        };
  }
}
