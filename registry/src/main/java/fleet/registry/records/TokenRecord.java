package fleet.registry.records;

import fleet.core.machine.Role;
import fleet.registry.Entry;
import java.time.Instant;

/**
 * The value of {@code token/<id>}: what a machine needs to join.
 *
 * @param role that machines get with it
 * @param secretSha256 of the secret, in hexadecimal: the secret itself is kept nowhere
 * @param expires when it is worth nothing any more
 * @param created when it was made
 * @param by who made it
 */
public record TokenRecord(
    Role role,
    String secretSha256,
    Instant expires,
    Instant created,
    String by,
    UnknownFields unknown) {

  public TokenRecord(Role role, String secretSha256, Instant expires, Instant created, String by) {
    this(role, secretSha256, expires, created, by, UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws fleet.registry.RegistryException where the value is not one of these
   */
  public static TokenRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new TokenRecord(
        fields.meaning("role", Role::ofText),
        fields.text("secretSha256"),
        fields.instant("expires"),
        fields.instant("created"),
        fields.text("by"),
        fields.rest());
  }

  /** The value to store. */
  public String json() {
    return new FieldWriter()
        .put("role", role.text())
        .put("secretSha256", secretSha256)
        .put("expires", expires.toString())
        .put("created", created.toString())
        .put("by", by)
        .render(unknown);
  }
}
