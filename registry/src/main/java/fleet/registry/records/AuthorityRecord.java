package fleet.registry.records;

import fleet.registry.Entry;

/**
 * The value of {@code ca}: the authority that vouches for all machines of the cluster, made by the
 * first server that needs one. Its private key is sealed with a key that only servers hold.
 *
 * @param certificate in PEM
 * @param clearKey in PEM, PKCS#8, as an older version wrote it; empty where the key is sealed
 * @param sealedKey the same, sealed, in base64; empty where an older version wrote this
 * @param sealedWith names the key that it is sealed with
 */
public record AuthorityRecord(
    String certificate,
    String clearKey,
    String sealedKey,
    String sealedWith,
    UnknownFields unknown) {

  /** One whose key is sealed. */
  public AuthorityRecord(String certificate, String sealedKey, String sealedWith) {
    this(certificate, "", sealedKey, sealedWith, UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws fleet.registry.RegistryException where the value is not one of these
   */
  public static AuthorityRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new AuthorityRecord(
        fields.text("certificate"),
        fields.text("key", ""),
        fields.text("sealedKey", ""),
        fields.text("sealedWith", ""),
        fields.rest());
  }

  /** The value to store. */
  public String json() {
    var fields = new FieldWriter().put("certificate", certificate);
    if (isSealed()) {
      fields.put("sealedKey", sealedKey).put("sealedWith", sealedWith);
    } else {
      fields.put("key", clearKey);
    }
    return fields.render(unknown);
  }

  public boolean isSealed() {
    return clearKey.isEmpty();
  }

  /** The same, with the key sealed. */
  public AuthorityRecord sealed(String key, String with) {
    return new AuthorityRecord(certificate, "", key, with, unknown);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "AuthorityRecord[" + certificate + "]";
  }
}
