package fleet.registry.records;

import java.time.Instant;
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

  static LoginRecord of(FieldReader fields) {
    return new LoginRecord(
        fields.text("key", ""), fields.text("formerKey", ""), fields.instant("until"));
  }

  FieldWriter fields() {
    return FieldWriter.ofPart().put("key", key).put("formerKey", formerKey).put("until", until);
  }

  Stream<String> keys() {
    return Stream.of(key, formerKey).filter(one -> !one.isEmpty());
  }

  /** Whether its machine may prove itself with a key. */
  public boolean has(String presented) {
    return keys().anyMatch(presented::equals);
  }
}
