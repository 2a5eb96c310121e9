package fleet.registry.records;

import fleet.registry.Entry;

/**
 * The value of {@code ca}: the authority that vouches for all machines of the cluster, made by the
 * first server that needs one. Whoever reads it can be any machine.
 *
 * @param certificate in PEM
 * @param key in PEM, PKCS#8
 */
public record AuthorityRecord(String certificate, String key, UnknownFields unknown) {

  public AuthorityRecord(String certificate, String key) {
    this(certificate, key, UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws fleet.registry.RegistryException where the value is not one of these
   */
  public static AuthorityRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new AuthorityRecord(fields.text("certificate"), fields.text("key"), fields.rest());
  }

  /** The value to store. */
  public String json() {
    return new FieldWriter().put("certificate", certificate).put("key", key).render(unknown);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "AuthorityRecord[" + certificate + "]";
  }
}
