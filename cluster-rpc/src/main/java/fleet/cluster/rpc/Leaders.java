package fleet.cluster.rpc;

import fleet.core.machine.HostPort;
import java.time.Duration;
import java.util.Optional;

/** Tells where the leader is. Safe for use by many threads. */
public interface Leaders {

  /**
   * The leader, as last heard of.
   *
   * @param address of its RPC port; empty where nobody is heard of
   * @param attempt tells apart what was heard at different times; 0 where nobody is heard of
   */
  record Sighting(Optional<HostPort> address, long attempt) {
    public static final Sighting NONE = new Sighting(Optional.empty(), 0);
  }

  /** Never waits for the network. */
  Sighting last();

  /** Returns once another is heard of than that, or after the time; looks, where nobody tells. */
  void awaitOther(Sighting than, Duration atMost) throws InterruptedException;
}
