package fleet.registry.records;

import fleet.registry.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
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

  private static final String USED = "used";

  static InvitationRecord of(Entry entry, Map<String, String> fields) {
    return new InvitationRecord(
        fields.getOrDefault("id", ""),
        fields.getOrDefault("secretSha256", ""),
        LoginRecord.instant(entry, fields, "expires"),
        fields.getOrDefault("authority", ""),
        fields.getOrDefault("by", ""),
        fields.containsKey(USED)
            ? Optional.of(LoginRecord.instant(entry, fields, USED))
            : Optional.empty());
  }

  Map<String, String> fields() {
    Map<String, String> fields = new HashMap<>();
    fields.put("id", id);
    fields.put("secretSha256", secretSha256);
    fields.put("expires", expires.toString());
    fields.put("authority", authority);
    fields.put("by", by);
    used.ifPresent(at -> fields.put(USED, at.toString()));
    return fields;
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
