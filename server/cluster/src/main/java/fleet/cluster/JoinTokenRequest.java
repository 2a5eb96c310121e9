package fleet.cluster;

import fleet.core.machine.Role;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A request for a join token.
 *
 * @param life how long it can be used, from now
 * @param uses how many machines may join with it, 0 for any number; empty for what is usual: one
 *     server or one named machine, and any number of agents
 * @param machine id of the only machine that it is for
 */
public record JoinTokenRequest(
    Role role, Duration life, OptionalInt uses, Optional<String> machine) {

  public static JoinTokenRequest of(Role role, Duration life) {
    return new JoinTokenRequest(role, life, OptionalInt.empty(), Optional.empty());
  }

  /** How many machines may join with it; 0 for any number. */
  public int most() {
    return uses.orElse(role == Role.SERVER || machine.isPresent() ? 1 : 0);
  }
}
