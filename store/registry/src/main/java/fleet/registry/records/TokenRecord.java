package fleet.registry.records;

import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Role;
import fleet.registry.Entry;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The value of {@code token/<id>}: what a machine needs to join.
 *
 * @param role that machines get with it
 * @param secretSha256 of the secret, in hexadecimal: the secret itself is kept nowhere
 * @param expires when it is worth nothing any more
 * @param created when it was made
 * @param by who made it
 * @param authority SHA-256 of the certificate of the authority that it is for; empty in tokens of
 *     an older version
 * @param machine id of the only machine that it is for; empty if any may use it
 * @param uses how many machines it is for; 0 for any number
 * @param usedBy the machines that used it, if their number is limited
 */
public record TokenRecord(
    Role role,
    String secretSha256,
    Instant expires,
    Instant created,
    String by,
    String authority,
    String machine,
    int uses,
    Set<String> usedBy,
    UnknownFields unknown) {

  public TokenRecord {
    usedBy = OrderedCopy.of(usedBy);
  }

  /** A token that was not used yet. */
  public TokenRecord(
      Role role,
      String secretSha256,
      Instant expires,
      Instant created,
      String by,
      String authority,
      String machine,
      int uses) {
    this(
        role,
        secretSha256,
        expires,
        created,
        by,
        authority,
        machine,
        uses,
        Set.of(),
        UnknownFields.NONE);
  }

  public static TokenRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new TokenRecord(
        fields.meaning("role", Role::ofText),
        fields.text("secretSha256"),
        fields.instant("expires"),
        fields.instant("created"),
        fields.text("by"),
        fields.text("authority", ""),
        fields.text("machine", ""),
        fields.count("uses", 0),
        OrderedCopy.of(fields.textsIfAny("usedBy")),
        fields.rest());
  }

  public String json() {
    return new FieldWriter()
        .put("role", role.text())
        .put("secretSha256", secretSha256)
        .put("expires", expires)
        .put("created", created)
        .put("by", by)
        .put("authority", authority)
        .put("machine", machine)
        .put("uses", uses)
        .put("usedBy", List.copyOf(usedBy))
        .render(unknown);
  }

  /** Whether as many machines have used it as may. */
  public boolean isUsedUp() {
    return uses > 0 && usedBy.size() >= uses;
  }

  /** The same, which has ended. */
  public TokenRecord ended(Instant at) {
    return new TokenRecord(
        role, secretSha256, at, created, by, authority, machine, uses, usedBy, unknown);
  }

  public TokenRecord usedBy(String id) {
    Set<String> more = new LinkedHashSet<>(usedBy);
    more.add(id);
    return new TokenRecord(
        role, secretSha256, expires, created, by, authority, machine, uses, more, unknown);
  }
}
