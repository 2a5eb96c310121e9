package fleet.registry.records;

import fleet.registry.Entry;
import java.time.Instant;

/**
 * The value of {@code server-key/<machine>}: a server asks others for the key that the authority's
 * is sealed with, and one of them answers. Deleted by the one that asked.
 *
 * @param wanted names the key
 * @param publicKey of the one that asks, for this once, in base64
 * @param at when it asked
 * @param answerKey public key of the one that answered, for this once, in base64; empty before
 * @param answer the key, sealed for the one that asks
 */
public record KeyRequestRecord(
    String wanted,
    String publicKey,
    Instant at,
    String answerKey,
    String answer,
    UnknownFields unknown) {

  /** A request without an answer. */
  public KeyRequestRecord(String wanted, String publicKey, Instant at) {
    this(wanted, publicKey, at, "", "", UnknownFields.NONE);
  }

  public static KeyRequestRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new KeyRequestRecord(
        fields.text("wanted"),
        fields.text("publicKey"),
        fields.instant("at"),
        fields.text("answerKey", ""),
        fields.text("answer", ""),
        fields.rest());
  }

  public String json() {
    return new FieldWriter()
        .put("wanted", wanted)
        .put("publicKey", publicKey)
        .put("at", at)
        .put("answerKey", answerKey)
        .put("answer", answer)
        .render(unknown);
  }

  public boolean isAnswered() {
    return !answer.isEmpty();
  }

  public KeyRequestRecord answered(String by, String sealed) {
    return new KeyRequestRecord(wanted, publicKey, at, by, sealed, unknown);
  }
}
