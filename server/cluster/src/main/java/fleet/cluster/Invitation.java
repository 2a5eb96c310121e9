package fleet.cluster;

import java.time.Instant;

/**
 * An unused invitation, without its secret.
 *
 * @param expires when it becomes invalid
 * @param by who invites
 */
public record Invitation(String id, Instant expires, String by) {}
