package fleet.engine;

import fleet.coordination.EventLoop;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * A loop that tells what is done with it.
 *
 * @param onTimer told how long something is put off
 */
record WatchedLoop(EventLoop loop, Consumer<Duration> onTimer, Runnable onClose)
    implements EventLoop {

  @Override
  public void post(Runnable work) {
    loop.post(work);
  }

  @Override
  public Timer postAfter(Duration delay, Runnable work) {
    Timer timer = loop.postAfter(delay, work);
    onTimer.accept(delay);
    return timer;
  }

  @Override
  public void postEvery(Duration period, Runnable work) {
    loop.postEvery(period, work);
  }

  @Override
  public long nanoTime() {
    return loop.nanoTime();
  }

  @Override
  public void beside(String name, Runnable work) {
    loop.beside(name, work);
  }

  @Override
  public <T> T call(Callable<T> work) {
    return loop.call(work);
  }

  @Override
  public boolean answersWithin(Duration time) throws InterruptedException {
    return loop.answersWithin(time);
  }

  @Override
  public void close() {
    loop.close();
    onClose.run();
  }
}
