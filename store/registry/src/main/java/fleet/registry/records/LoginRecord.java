package fleet.registry.records;

import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A machine that a person has logged in from, as part of a {@link GrantRecord}.
 *
 * @param key SHA-256 of the key that its certificate is for, in hexadecimal
 * @param formerKey of the key before the last renewal, whose answer may have been lost; empty if
 *     there was none
 * @param until when the certificate ends
 */
public record LoginRecord(String key, String formerKey, Instant until) {

  static LoginRecord of(Entry entry, Map<String, String> fields) {
    return new LoginRecord(
        fields.getOrDefault("key", ""),
        fields.getOrDefault("formerKey", ""),
        instant(entry, fields, "until"));
  }

  /** A time in a part of a record. */
  static Instant instant(Entry entry, Map<String, String> fields, String name) {
    try {
      return Instant.parse(fields.getOrDefault(name, ""));
    } catch (DateTimeException e) {
      throw new RegistryException(
          "key " + entry.key() + " of the registry has no time in field " + name, e);
    }
  }

  Map<String, String> fields() {
    return Map.of("key", key, "formerKey", formerKey, "until", until.toString());
  }

  Stream<String> keys() {
    return Stream.of(key, formerKey).filter(one -> !one.isEmpty());
  }

  /** Whether its machine may prove itself with a key. */
  public boolean has(String presented) {
    return keys().anyMatch(presented::equals);
  }
}
