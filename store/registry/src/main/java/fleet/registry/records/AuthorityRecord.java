package fleet.registry.records;

import fleet.registry.Entry;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The value of {@code ca}: the certificate authority of the cluster, made by the first server that
 * needs one. Its private key is sealed with a key that only servers hold.
 *
 * @param certificate in PEM
 * @param clearKey in PEM, PKCS#8, as an older version wrote it; empty if the key is sealed
 * @param sealedKey the same, sealed, in base64; empty if an older version wrote this
 * @param sealedWith names the key that it is sealed with
 * @param rotation the progress of a replacement, if there is one
 * @param removedServers SHA-256 of the public keys of removed servers, in hexadecimal, with when
 *     the last certificate for each ends: machines must trust none of them
 */
public record AuthorityRecord(
    String certificate,
    String clearKey,
    String sealedKey,
    String sealedWith,
    Optional<Rotation> rotation,
    Map<String, Instant> removedServers,
    UnknownFields unknown) {

  public AuthorityRecord {
    removedServers = Collections.unmodifiableMap(new TreeMap<>(removedServers));
  }

  /** How far the replacement of an authority has come. */
  public enum Stage {
    /** Machines learn of the next authority; the present one still signs. */
    INTRODUCED("introduced"),
    /** The new authority signs; the former one is still trusted. */
    SIGNING("signing");

    private final String text;

    Stage(String text) {
      this.text = text;
    }
  }

  /**
   * An authority is being replaced.
   *
   * @param other certificate in PEM of the authority beside: the next one, then the former one
   * @param sealedKey of the next authority; empty once it signs, as no key of a former one is kept
   * @param crossSigned certificate in PEM of the new authority's key by the former one, for
   *     machines that know only that
   * @param since when this stage began
   * @param by who asked for it
   * @param finish whether not to wait for absent machines
   */
  public record Rotation(
      Stage stage,
      String other,
      String sealedKey,
      String crossSigned,
      Instant since,
      String by,
      boolean finish) {

    private static Rotation of(FieldReader fields) {
      String text = fields.text("stage", "");
      return new Rotation(
          Stream.of(Stage.values())
              .filter(stage -> stage.text.equals(text))
              .findFirst()
              .orElse(Stage.INTRODUCED),
          fields.text("other", ""),
          fields.text("sealedKey", ""),
          fields.text("crossSigned", ""),
          fields.instant("since"),
          fields.text("by", ""),
          Boolean.parseBoolean(fields.text("finish", "")));
    }

    private FieldWriter fields() {
      return FieldWriter.ofPart()
          .put("stage", stage.text)
          .put("other", other)
          .put("sealedKey", sealedKey)
          .put("crossSigned", crossSigned)
          .put("since", since)
          .put("by", by)
          .put("finish", Boolean.toString(finish));
    }

    /** Without the key. */
    @Override
    public String toString() {
      return "Rotation[%s since %s by %s]".formatted(stage.text, since, by);
    }
  }

  /** One whose key is sealed. */
  public AuthorityRecord(String certificate, String sealedKey, String sealedWith) {
    this(certificate, "", sealedKey, sealedWith, Optional.empty(), Map.of(), UnknownFields.NONE);
  }

  public static AuthorityRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new AuthorityRecord(
        fields.text("certificate"),
        fields.text("key", ""),
        fields.text("sealedKey", ""),
        fields.text("sealedWith", ""),
        fields.partIfAny("rotation").map(Rotation::of),
        fields.instantsByNameIfAny("removedServers"),
        fields.rest());
  }

  public String json() {
    var fields = new FieldWriter().put("certificate", certificate);
    if (isSealed()) {
      fields.put("sealedKey", sealedKey).put("sealedWith", sealedWith);
    } else {
      fields.put("key", clearKey);
    }
    rotation.ifPresent(going -> fields.put("rotation", going.fields()));
    if (!removedServers.isEmpty()) {
      FieldWriter ends = FieldWriter.ofPart();
      removedServers.forEach(ends::put);
      fields.put("removedServers", ends);
    }
    return fields.render(unknown);
  }

  public boolean isSealed() {
    return clearKey.isEmpty();
  }

  /** The same, whose key is not in clear any more. */
  public AuthorityRecord sealed(AuthorityRecord as) {
    return new AuthorityRecord(
        certificate, "", as.sealedKey, as.sealedWith, rotation, removedServers, unknown);
  }

  /**
   * The same; machines learn of an authority that is to replace it.
   *
   * @param next sealed with the same key
   */
  public AuthorityRecord introducing(
      AuthorityRecord next, String crossSigned, Instant at, String by, boolean finish) {
    return with(
        Optional.of(
            new Rotation(
                Stage.INTRODUCED, next.certificate, next.sealedKey, crossSigned, at, by, finish)));
  }

  /** From now on the introduced authority signs, and the former one is only trusted. */
  public AuthorityRecord signing(Instant at) {
    Rotation going = rotation.orElseThrow();
    return new AuthorityRecord(
        going.other,
        "",
        going.sealedKey,
        sealedWith,
        Optional.of(
            new Rotation(
                Stage.SIGNING, certificate, "", going.crossSigned, at, going.by, going.finish)),
        removedServers,
        unknown);
  }

  /** The same rotation, which no longer waits for absent machines. */
  public AuthorityRecord finishing() {
    return with(
        rotation.map(going ->
            new Rotation(
                going.stage,
                going.other,
                going.sealedKey,
                going.crossSigned,
                going.since,
                going.by,
                true)));
  }

  /** The former authority counts no more. */
  public AuthorityRecord rotated() {
    return with(Optional.empty());
  }

  /**
   * The same, with a server that is no longer trusted.
   *
   * @param keys of the server
   * @param now those whose certificates have ended by then are forgotten
   * @param ends when the certificates for these keys have ended
   */
  public AuthorityRecord withoutServer(Collection<String> keys, Instant now, Instant ends) {
    Map<String, Instant> removed = new TreeMap<>(removedServers);
    removed.values().removeIf(now::isAfter);
    keys.forEach(key -> removed.put(key, ends));
    return with(rotation, removed);
  }

  private AuthorityRecord with(Optional<Rotation> going) {
    return with(going, removedServers);
  }

  private AuthorityRecord with(Optional<Rotation> going, Map<String, Instant> removed) {
    return new AuthorityRecord(
        certificate, clearKey, sealedKey, sealedWith, going, removed, unknown);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "AuthorityRecord[" + certificate + "]";
  }
}
