package fleet.cluster;

import fleet.core.machine.Role;
import java.time.Instant;

/**
 * With what machines may join the cluster, without its secret.
 *
 * @param id names it, and is part of its text
 * @param role that machines get with it
 * @param expires when it is worth nothing any more; machines that joined with it stay
 * @param created when
 * @param by who made it
 */
public record JoinToken(String id, Role role, Instant expires, Instant created, String by) {}
