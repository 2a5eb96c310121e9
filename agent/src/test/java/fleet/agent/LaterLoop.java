package fleet.agent;

import fleet.coordination.EventLoop;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A loop whose clock a test puts forward. What is to be done after some time keeps to the real one.
 */
final class LaterLoop implements EventLoop {

  private final EventLoop real;
  private final AtomicLong forward;

  LaterLoop(EventLoop real, AtomicLong forward) {
    this.real = real;
    this.forward = forward;
  }

  @Override
  public long nanoTime() {
    return real.nanoTime() + forward.get();
  }

  @Override
  public void post(Runnable work) {
    real.post(work);
  }

  @Override
  public Timer postAfter(Duration delay, Runnable work) {
    return real.postAfter(delay, work);
  }

  @Override
  public void postEvery(Duration period, Runnable work) {
    real.postEvery(period, work);
  }

  @Override
  public void beside(String name, Runnable work) {
    real.beside(name, work);
  }

  @Override
  public <T> T call(Callable<T> work) {
    return real.call(work);
  }

  @Override
  public boolean answersWithin(Duration time) throws InterruptedException {
    return real.answersWithin(time);
  }

  @Override
  public void close() {
    real.close();
  }
}
