package fleet.registry.records;

import fleet.registry.Entry;

/**
 * The value of {@code seal}: what the cluster seals incarnations with.
 *
 * @param secret known to those who write the registry, and to no machine that only runs units
 */
public record SealRecord(String secret, UnknownFields unknown) {

  public SealRecord(String secret) {
    this(secret, UnknownFields.NONE);
  }

  public static SealRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new SealRecord(fields.text("secret"), fields.rest());
  }

  public String json() {
    return new FieldWriter().put("secret", secret).render(unknown);
  }

  /** Not the secret. */
  @Override
  public String toString() {
    return "SealRecord";
  }
}
