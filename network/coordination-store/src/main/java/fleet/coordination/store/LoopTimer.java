package fleet.coordination.store;

import fleet.coordination.EventLoop;
import java.time.Duration;

/** A pause before the next step, which wakes its loop at its end. Belongs to that loop. */
public final class LoopTimer {

  private final EventLoop loop;
  private long until;
  private long wakesAt;

  public LoopTimer(EventLoop loop) {
    this.loop = loop;
    this.until = loop.nanoTime();
    this.wakesAt = until;
  }

  /** Makes it end no sooner than that from now. */
  public void atLeast(Duration time) {
    long end = loop.nanoTime() + time.toNanos();
    if (end - until > 0) {
      until = end;
    }
  }

  /** Whether the pause is over; if not, the loop takes another turn once it is. */
  public boolean isOver() {
    long left = until - loop.nanoTime();
    if (left <= 0) {
      return true;
    }
    if (wakesAt != until) {
      wakesAt = until;
      // Rounded up, as loops count in milliseconds.
      loop.postAfter(Duration.ofNanos(left).plusMillis(1), () -> {});
    }
    return false;
  }
}
