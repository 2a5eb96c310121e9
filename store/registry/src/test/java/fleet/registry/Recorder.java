package fleet.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A watcher that keeps what it is told, and sees to it that one thread at a time tells. */
public class Recorder implements Watcher {

  private final BlockingQueue<Delta> deltas = new LinkedBlockingQueue<>();
  private final BlockingQueue<RegistryException> failures = new LinkedBlockingQueue<>();
  private final AtomicInteger callers = new AtomicInteger();
  private volatile boolean overlapped;

  @Override
  public void changed(Delta delta) {
    overlapped |= callers.incrementAndGet() > 1;
    deltas.add(delta);
    callers.decrementAndGet();
  }

  @Override
  public void failed(RegistryException why) {
    failures.add(why);
  }

  public Delta next() {
    return await(deltas);
  }

  public RegistryException failure() {
    return await(failures);
  }

  /** All up to a revision, which must come. */
  public List<Delta> until(long revision) {
    List<Delta> all = new ArrayList<>();
    do {
      all.add(next());
    } while (all.getLast().revision() < revision);
    return all;
  }

  public void assertNothingMore() {
    assertThat(deltas).isEmpty();
    assertThat(failures).isEmpty();
    assertThat(overlapped).as("two threads at a time").isFalse();
  }

  private static <T> T await(BlockingQueue<T> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
