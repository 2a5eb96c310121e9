package fleet.registry;

/**
 * A key and its value.
 *
 * @param created the revision that created the key
 * @param modified the revision that wrote this value
 */
public record Entry(String key, String value, long created, long modified) {}
