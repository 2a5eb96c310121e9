package fleet.cluster.rpc;

import fleet.core.machine.HostPort;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Who leads, as a test says. */
final class KnownLeaders implements Leaders {

  private final CountDownLatch asked = new CountDownLatch(1);
  private Sighting last = Sighting.NONE;

  synchronized void leads(HostPort address, long token) {
    last = new Sighting(Optional.of(address), token);
    notifyAll();
  }

  synchronized void nobody() {
    last = Sighting.NONE;
    notifyAll();
  }

  /** Returns once somebody looks for another leader than nobody. */
  void awaitAsker() throws InterruptedException {
    asked.await();
  }

  @Override
  public synchronized Sighting last() {
    return last;
  }

  @Override
  public synchronized void awaitOther(Sighting than, Duration atMost) throws InterruptedException {
    if (than.equals(Sighting.NONE)) {
      asked.countDown();
    }
    if (last.equals(than)) {
      TimeUnit.NANOSECONDS.timedWait(this, atMost.toNanos());
    }
  }
}
