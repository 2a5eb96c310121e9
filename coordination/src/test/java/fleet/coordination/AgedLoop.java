package fleet.coordination;

import java.util.concurrent.atomic.AtomicLong;

/** A loop for which more time has passed than for others. */
public final class AgedLoop extends ForwardingLoop {

  private final AtomicLong more;

  /**
   * @param more in nanoseconds
   */
  public AgedLoop(EventLoop loop, AtomicLong more) {
    super(loop);
    this.more = more;
  }

  @Override
  public long nanoTime() {
    return super.nanoTime() + more.get();
  }
}
