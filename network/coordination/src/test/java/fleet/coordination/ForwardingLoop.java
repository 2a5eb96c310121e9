package fleet.coordination;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Another loop, for those who change a part of what it does. */
public abstract class ForwardingLoop implements EventLoop {

  private final EventLoop loop;

  protected ForwardingLoop(EventLoop loop) {
    this.loop = loop;
  }

  @Override
  public void post(Runnable work) {
    loop.post(work);
  }

  @Override
  public Timer postAfter(Duration delay, Runnable work) {
    return loop.postAfter(delay, work);
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
  }
}
