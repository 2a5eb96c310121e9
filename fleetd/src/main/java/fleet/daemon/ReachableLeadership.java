package fleet.daemon;

import fleet.coordination.Leadership;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership of an engine that machines are to speak to: it takes part in elections once they can.
 * One that led before would lose all that have no other way, though other servers could lead. Safe
 * for use by many threads.
 */
final class ReachableLeadership implements Leadership {

  private static final Logger LOG = LoggerFactory.getLogger(ReachableLeadership.class);

  private final Leadership elections;
  private final RpcEndpoint port;
  private boolean closed;

  ReachableLeadership(Leadership elections, RpcEndpoint port) {
    this.elections = elections;
    this.port = port;
  }

  @Override
  public void campaign(Candidate candidate) {
    if (!port.isOpen()) {
      LOG.warn("leadership: this engine leaves it to others to lead until its RPC port is open");
    }
    port.onceOpen(() -> begin(candidate));
  }

  private synchronized void begin(Candidate candidate) {
    if (!closed) {
      elections.campaign(candidate);
    }
  }

  @Override
  public boolean isCertain() {
    return elections.isCertain();
  }

  @Override
  public Optional<Duration> confirmedAgo() {
    return elections.confirmedAgo();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    elections.close();
  }
}
