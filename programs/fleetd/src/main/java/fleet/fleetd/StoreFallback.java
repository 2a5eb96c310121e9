package fleet.fleetd;

import fleet.coordination.FailoverCoordination;
import java.util.Optional;

/**
 * Whether this machine uses the store because the leader's RPC port does not answer, for people.
 * Safe for use by many threads.
 */
final class StoreFallback extends StatusProblem implements FailoverCoordination.Observer {

  private volatile boolean taken;

  @Override
  public void taken(boolean isOther) {
    taken = isOther;
    changed();
  }

  /**
   * The blocked connection and where to look; empty if none is blocked.
   *
   * @param leader its RPC address; empty if unknown, or if machines speak to it through the store
   *     alone
   */
  Optional<String> problem(Optional<String> leader) {
    return Optional.of(taken)
        .filter(Boolean::booleanValue)
        .flatMap(_ -> leader)
        .map(address ->
            "no answer over the leader's RPC port at %s, using etcd: check that fleetd"
                    .formatted(address)
                + " runs there and that this machine may connect to that port");
  }
}
