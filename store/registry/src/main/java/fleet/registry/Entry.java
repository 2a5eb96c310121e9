package fleet.registry;

/**
 * A key and its value.
 *
 * @param created the revision that created the key
 * @param modified the revision that wrote this value
 * @param lease id of the {@link Lease} that the key ends with; 0 for keys that stay
 */
public record Entry(String key, String value, long created, long modified, long lease) {

  /** A key that stays. */
  public Entry(String key, String value, long created, long modified) {
    this(key, value, created, modified, 0);
  }
}
