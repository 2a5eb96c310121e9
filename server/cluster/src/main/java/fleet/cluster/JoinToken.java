package fleet.cluster;

import fleet.core.machine.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A token with which machines join the cluster, without its secret.
 *
 * @param id names it, and is part of its text
 * @param role that machines get with it
 * @param expires when it is worth nothing any more; machines that joined with it stay
 * @param created when
 * @param by who made it
 * @param machine id of the only machine that it is for
 * @param uses how many machines may join with it; 0 for any number
 * @param usedBy ids of the machines that joined with it last, sorted
 */
public record JoinToken(
    String id,
    Role role,
    Instant expires,
    Instant created,
    String by,
    Optional<String> machine,
    int uses,
    List<String> usedBy) {

  public JoinToken {
    usedBy = List.copyOf(usedBy);
  }
}
