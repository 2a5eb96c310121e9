package fleet.api.journal;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Entries of one machine that are not merged yet. They are few, as the machine waits if there is no
 * room. One thread fills the lane; the merge, under the same lock, empties it.
 */
final class MachineBuffer {

  private static final int MOST_ENTRIES = 16;
  private static final int MOST_BYTES = 64 << 10;

  /** How long a finite question is retried before it ends without this machine. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final String INCOMPLETE = "; its journal is incomplete here";
  private static final String LAST_MISSING = "; what its units wrote last may be missing here";

  /** The entries that are still to be expected of a lane. */
  enum Phase {
    /** Entries of any age: no others may pass. */
    PAST,
    /** Entries as they are written. */
    LIVE,
    /**
     * Its machine does not answer. Entries will come late, and the merge does not wait for them.
     */
    AWAY,
    /** Nothing. */
    ENDED
  }

  /** An entry and when it came, of {@link System#nanoTime}. */
  private record Held(MergedLine.Entry entry, long since) {}

  final String machine;
  private final Instant asked;
  private final Object lock;
  private final Deque<byte[]> notices;
  private final Deque<Held> held = new ArrayDeque<>();
  private final long opened = System.nanoTime();
  private int bytes;
  private long entries;
  private String cursor;
  private Phase phase = Phase.PAST;
  private boolean pastRead;
  private boolean toldAway;
  private boolean complete = true;

  /** Whether it continues when its machine comes back, at any time. */
  private boolean follow;

  private boolean finishing;
  private boolean closed;
  private long brokenSince;

  /**
   * An empty one.
   *
   * @param cursor of the last entry that was read of this machine before; empty if none was
   * @param asked when the whole question was asked
   * @param lock guards this and {@code notices}; notified of each change
   */
  MachineBuffer(
      JournalSlice part, String cursor, Instant asked, Object lock, Deque<byte[]> notices) {
    this.machine = part.machine();
    this.follow = part.follow();
    this.cursor = cursor;
    this.asked = asked;
    this.lock = lock;
    this.notices = notices;
  }

  // ---- for the thread that fills it

  /** Waits until there is room. */
  void take(MergedLine.Entry entry) throws InterruptedException {
    synchronized (lock) {
      while (!closed && !hasRoom()) {
        lock.wait();
      }
      if (!closed) {
        held.add(new Held(entry, System.nanoTime()));
        bytes += entry.bytes().length;
        entries++;
        cursor = entry.cursor();
        answers();
        lock.notifyAll();
      }
    }
  }

  private boolean hasRoom() {
    return held.isEmpty() || (held.size() < MOST_ENTRIES && bytes < MOST_BYTES);
  }

  /** The machine answers. */
  private void answers() {
    toldAway = false;
    brokenSince = 0;
    if (phase == Phase.AWAY && pastRead) {
      phase = Phase.LIVE;
    }
  }

  /** Entries from now on are new. */
  void pastIsRead() {
    synchronized (lock) {
      pastRead = true;
      if (!closed) {
        phase = Phase.LIVE;
        answers();
      }
      lock.notifyAll();
    }
  }

  void notice(String text) {
    synchronized (lock) {
      tell(text);
    }
  }

  private void tell(String text) {
    if (!closed) {
      notices.add(MergedLine.notice(machine, text));
      lock.notifyAll();
    }
  }

  /** The answer is complete. */
  void ended() {
    synchronized (lock) {
      phase = Phase.ENDED;
      lock.notifyAll();
    }
  }

  /**
   * The answer broke off. Notes that once, and returns when it is time to retry.
   *
   * @return false if there is no retry
   */
  boolean broken(String why, long pauseMillis) throws InterruptedException {
    synchronized (lock) {
      long now = System.nanoTime();
      brokenSince = brokenSince == 0 ? now : brokenSince;
      if (closed) {
        phase = Phase.ENDED;
      } else if (follow) {
        phase = Phase.AWAY;
        if (!toldAway) {
          toldAway = true;
          tell(why + "; its journal continues here when it answers again");
        }
      } else if (now - brokenSince >= PATIENCE_NANOS) {
        phase = Phase.ENDED;
        complete = false;
        tell(why + (finishing ? LAST_MISSING : INCOMPLETE));
      }
      lock.notifyAll();
      long end = now + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
      while (end - System.nanoTime() > 0 && !closed && phase != Phase.ENDED) {
        TimeUnit.NANOSECONDS.timedWait(lock, end - System.nanoTime());
      }
      return !closed && phase != Phase.ENDED;
    }
  }

  boolean isPastRead() {
    synchronized (lock) {
      return pastRead;
    }
  }

  /** The cursor of the last entry taken, here or before; empty if none was. */
  String cursor() {
    synchronized (lock) {
      return cursor;
    }
  }

  /** How many entries were taken. */
  long entries() {
    synchronized (lock) {
      return entries;
    }
  }

  /** When the whole question was asked: what is new is not older. */
  Instant asked() {
    return asked;
  }

  // ---- for the merge, which holds the lock

  Phase phase() {
    return phase;
  }

  long opened() {
    return opened;
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  boolean isComplete() {
    return complete;
  }

  /** Takes the entries that are there, then ends. */
  void finish() {
    follow = false;
    finishing = true;
    brokenSince = 0;
    lock.notifyAll();
  }

  /** Takes no more entries; those taken stay. */
  void close() {
    closed = true;
    phase = Phase.ENDED;
    lock.notifyAll();
  }

  private Held first() {
    @Nullable Held first = held.peek();
    if (first == null) {
      throw new IllegalStateException("empty");
    }
    return first;
  }

  long micros() {
    return first().entry.micros();
  }

  long heldSince() {
    return first().since;
  }

  byte[] remove() {
    Held first = first();
    held.remove();
    bytes -= first.entry.bytes().length;
    lock.notifyAll();
    return first.entry.bytes();
  }
}
