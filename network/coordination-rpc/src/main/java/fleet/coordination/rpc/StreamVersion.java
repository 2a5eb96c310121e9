package fleet.coordination.rpc;

import fleet.rpc.v1.Hello;
import java.util.Optional;

/**
 * Versions of what agent and leader say on their stream. Messages and fields that are only added
 * need no new one: each end passes over what it does not know.
 */
final class StreamVersion {

  /** The version that this fleetd speaks. */
  static final int CURRENT = 1;

  /** The oldest that it still understands. */
  static final int OLDEST = 1;

  private StreamVersion() {}

  /** Why the two do not understand each other; empty if they do. */
  static Optional<String> objection(Hello hello) {
    boolean understood = hello.getVersion() >= OLDEST && hello.getOldest() <= CURRENT;
    return understood
        ? Optional.empty()
        : Optional.of(
            ("fleetd of this machine (%s) and of the leader are too far apart to understand each"
                    + " other: upgrade the older one")
                .formatted(hello.getMachine().getVersion()));
  }
}
