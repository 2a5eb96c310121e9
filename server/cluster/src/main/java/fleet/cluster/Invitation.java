package fleet.cluster;

import java.time.Instant;

/**
 * An invitation that nobody has used yet, without its secret.
 *
 * @param expires when it is worth nothing any more
 * @param by who invites
 */
public record Invitation(String id, Instant expires, String by) {}
