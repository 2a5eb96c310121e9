package fleet.registry.records;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An invitation to log in, once, as part of a {@link GrantRecord}.
 *
 * @param id is part of its code
 * @param secretSha256 of the code's secret, in hexadecimal: the secret itself is kept nowhere
 * @param expires when it is worth nothing any more
 * @param authority SHA-256 of the certificate of the authority that it is for
 * @param by who invites
 * @param used when somebody logged in with it
 */
public record InvitationRecord(
    String id,
    String secretSha256,
    Instant expires,
    String authority,
    String by,
    Optional<Instant> used) {

  /** So that people still see why they were refused. */
  private static final Duration KEPT = Duration.ofDays(1);

  static InvitationRecord of(FieldReader fields) {
    return new InvitationRecord(
        fields.text("id", ""),
        fields.text("secretSha256", ""),
        fields.instant("expires"),
        fields.text("authority", ""),
        fields.text("by", ""),
        fields.instantIfAny("used"));
  }

  FieldWriter fields() {
    return FieldWriter.ofPart()
        .put("id", id)
        .put("secretSha256", secretSha256)
        .put("expires", expires)
        .put("authority", authority)
        .put("by", by)
        .putIfAny("used", used);
  }

  InvitationRecord usedAt(Instant now) {
    return new InvitationRecord(id, secretSha256, expires, authority, by, Optional.of(now));
  }

  /** Whether somebody can still log in with it. */
  public boolean isOpen(Instant now) {
    return used.isEmpty() && now.isBefore(expires);
  }

  Instant forgotten() {
    return expires.plus(KEPT);
  }
}
