package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.coordination.ForwardingLoop;
import java.time.Duration;
import java.util.function.Consumer;

/** A loop that tells what is done with it. */
final class WatchedLoop extends ForwardingLoop {

  private final Consumer<Duration> onTimer;
  private final Runnable onClose;

  /**
   * @param onTimer told how long something is put off
   */
  WatchedLoop(EventLoop loop, Consumer<Duration> onTimer, Runnable onClose) {
    super(loop);
    this.onTimer = onTimer;
    this.onClose = onClose;
  }

  @Override
  public Timer postAfter(Duration delay, Runnable work) {
    Timer timer = super.postAfter(delay, work);
    onTimer.accept(delay);
    return timer;
  }

  @Override
  public void close() {
    super.close();
    onClose.run();
  }
}
