package fleet.relay;

import fleet.core.machine.HostPort;
import fleet.rpc.CandidateAddresses;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The leader is whoever a test names. */
final class KnownLeaders implements CandidateAddresses {

  /** How often somebody looked. */
  final AtomicInteger looks = new AtomicInteger();

  private final CountDownLatch missed = new CountDownLatch(1);
  private volatile List<HostPort> known = List.of();

  void leads(HostPort address) {
    known = List.of(address);
  }

  void nobody() {
    known = List.of();
  }

  /** Returns once somebody has looked for a leader while nobody led. */
  void awaitAsker() throws InterruptedException {
    missed.await();
  }

  @Override
  public List<HostPort> candidates() {
    looks.incrementAndGet();
    if (known.isEmpty()) {
      missed.countDown();
    }
    return known;
  }
}
