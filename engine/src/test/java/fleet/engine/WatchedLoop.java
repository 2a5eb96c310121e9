package fleet.engine;

import fleet.coordination.EventLoop;
import java.time.Duration;
import java.util.concurrent.Callable;

/** A loop that tells when it is closed. */
record WatchedLoop(EventLoop loop, Runnable onClose) implements EventLoop {

  @Override
  public void post(Runnable work) {
    loop.post(work);
  }

  @Override
  public void postAfter(Duration delay, Runnable work) {
    loop.postAfter(delay, work);
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
