package fleet.coordination.rpc;

import fleet.rpc.v1.Hello;
import java.util.Optional;

/**
 * Versions of the protocol between agent and leader. Added messages and fields need no new version:
 * each end ignores what it does not know.
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
