package fleet.registry.records;

import fleet.core.machine.Role;
import fleet.registry.Entry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The value of {@code identity/<machine>}: the key that a machine of the cluster proves itself
 * with. It stays when the machine has left, so that no other takes its id.
 *
 * @param role that it was admitted with
 * @param key SHA-256 of its public key, in hexadecimal; empty if none was seen
 * @param formerKey of the key before the last renewal, which counts for as long as its certificate;
 *     empty if there was none
 * @param serial of the newest certificate, in hexadecimal
 * @param since when it was let in with its first key, or with one that did not follow from that
 * @param token id of the join token that let it in; empty if there was none
 * @param removal by whom and when it was thrown out, if it was
 * @param readmitUntil until when it may come with any key, once
 * @param trust what the machine said of its trust last; empty if it never did
 */
public record IdentityRecord(
    Role role,
    String key,
    String formerKey,
    String serial,
    Instant since,
    String token,
    Optional<Removal> removal,
    Optional<Instant> readmitUntil,
    Optional<Trust> trust,
    UnknownFields unknown) {

  /**
   * A machine's trust, as it said itself.
   *
   * @param authority SHA-256 of the authority that its certificate is by
   * @param trusts SHA-256 of each authority that it believes
   * @param ends when its certificate does
   */
  public record Trust(String authority, List<String> trusts, Instant ends) {
    public Trust {
      trusts = List.copyOf(trusts);
    }
  }

  /** Somebody threw the machine out. */
  public record Removal(Instant at, String by) {}

  /** A machine that was let in. */
  public IdentityRecord(Role role, String key, String serial, Instant since, String token) {
    this(
        role,
        key,
        "",
        serial,
        since,
        token,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        UnknownFields.NONE);
  }

  public static IdentityRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new IdentityRecord(
        fields.meaning("role", Role::ofText),
        fields.text("key"),
        fields.text("formerKey", ""),
        fields.text("serial", ""),
        fields.instant("since"),
        fields.text("token", ""),
        fields.instantIfAny("removed").map(at -> new Removal(at, fields.text("removedBy", ""))),
        fields.instantIfAny("readmitUntil"),
        fields.has("authority")
            ? Optional.of(
                new Trust(
                    fields.text("authority"),
                    fields.texts("trusts"),
                    fields.instant("certificateEnds")))
            : Optional.empty(),
        fields.rest());
  }

  public String json() {
    FieldWriter fields =
        new FieldWriter()
            .put("role", role.text())
            .put("key", key)
            .put("formerKey", formerKey)
            .put("serial", serial)
            .put("since", since)
            .put("token", token);
    removal.ifPresent(
        removed -> fields.put("removed", removed.at()).put("removedBy", removed.by()));
    fields.putIfAny("readmitUntil", readmitUntil);
    trust.ifPresent(said ->
        fields
            .put("authority", said.authority())
            .put("trusts", said.trusts())
            .put("certificateEnds", said.ends()));
    return fields.render(unknown);
  }

  /** Whether the machine may prove itself with a key, as far as its removal is none. */
  public boolean has(String presented) {
    return !presented.isEmpty() && (presented.equals(key) || presented.equals(formerKey));
  }

  /** All keys that it may prove itself with. */
  public List<String> keys() {
    return Stream.of(key, formerKey).filter(one -> !one.isEmpty()).toList();
  }

  /** The same after a renewal with a key that {@linkplain #has counts}. */
  public IdentityRecord renewed(String presented, String next, String nextSerial) {
    return new IdentityRecord(
        role, next, presented, nextSerial, since, token, removal, readmitUntil, trust, unknown);
  }

  public IdentityRecord removed(Instant at, String by) {
    return new IdentityRecord(
        role,
        key,
        formerKey,
        serial,
        since,
        token,
        Optional.of(new Removal(at, by)),
        Optional.empty(),
        trust,
        unknown);
  }

  public IdentityRecord readmitted(Instant until) {
    return new IdentityRecord(
        role, key, formerKey, serial, since, token, removal, Optional.of(until), trust, unknown);
  }

  /** The same after the machine said what it trusts. */
  public IdentityRecord trusting(Trust said) {
    return new IdentityRecord(
        role,
        key,
        formerKey,
        serial,
        since,
        token,
        removal,
        readmitUntil,
        Optional.of(said),
        unknown);
  }
}
