package fleet.fleetd;

import fleet.coordination.Leadership;
import fleet.coordination.store.leadership.StoreLeadership;
import fleet.core.machine.HostPort;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership of an engine with RPC: a server without a reachable RPC port does not stand for
 * election. If it led, it would lose all machines that have no other transport, although other
 * servers could lead. Only a server that gets no address stands for election without one after a
 * while: it may be the only one. Safe for use by many threads.
 */
final class ReachabilityGate implements Leadership {

  private static final Logger LOG = LoggerFactory.getLogger(ReachabilityGate.class);

  private final Function<Optional<HostPort>, StoreLeadership> elections;
  private final RpcEndpoint port;
  private final Duration patience;
  private final Thread silently = Thread.ofVirtual().name("leadership").unstarted(this::silently);
  private Optional<Candidate> candidate = Optional.empty();
  private Optional<StoreLeadership> current = Optional.empty();

  /** Where machines speak to this engine, as far as it is known. */
  private Optional<HostPort> address = Optional.empty();

  /** Whether they do in the current elections. */
  private boolean reachable;

  private boolean changing;
  private boolean closed;

  /**
   * @param elections to take part in, at the address where machines speak to the engine, or without
   *     one
   * @param patience how long a server without an address waits for one before it stands for
   *     election all the same
   */
  ReachabilityGate(
      Function<Optional<HostPort>, StoreLeadership> elections,
      RpcEndpoint port,
      Duration patience) {
    this.elections = elections;
    this.port = port;
    this.patience = patience;
  }

  @Override
  public void campaign(Candidate engine) {
    synchronized (this) {
      candidate = Optional.of(engine);
    }
    if (!port.isOpen()) {
      LOG.warn("leadership: this engine does not stand for election until its RPC port is open");
    }
    silently.start();
    port.onOpen(this::reachableAt);
  }

  private void silently() {
    try {
      Thread.sleep(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    synchronized (this) {
      if (!closed && current.isEmpty() && port.address().isEmpty()) {
        LOG.warn("leadership: this machine has no address; it stands for election without");
        begin();
      }
    }
  }

  private synchronized void reachableAt(HostPort at) {
    address = Optional.of(at);
    if (closed || changing) {
      return;
    }
    if (current.isEmpty()) {
      begin();
    } else if (reachable) {
      current.get().move(at.host(), Optional.of(at.toString()));
    } else {
      LOG.info("leadership: machines can speak to this server now; it stands for election again");
      changing = true;
      var _ = current.get().resign().thenRun(this::beginAgain);
    }
  }

  private synchronized void beginAgain() {
    changing = false;
    if (!closed) {
      begin();
    }
  }

  private void begin() {
    StoreLeadership begun = elections.apply(address);
    current = Optional.of(begun);
    reachable = address.isPresent();
    begun.campaign(candidate.orElseThrow());
  }

  @Override
  public boolean isCertain() {
    return now().filter(StoreLeadership::isCertain).isPresent();
  }

  @Override
  public Optional<Duration> confirmedAgo() {
    return now().flatMap(StoreLeadership::confirmedAgo);
  }

  private synchronized Optional<StoreLeadership> now() {
    return current;
  }

  @Override
  public void close() {
    silently.interrupt();
    Optional<StoreLeadership> last;
    synchronized (this) {
      closed = true;
      last = current;
    }
    last.ifPresent(StoreLeadership::close);
  }
}
