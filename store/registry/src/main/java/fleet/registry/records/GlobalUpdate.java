package fleet.registry.records;

import fleet.core.unit.Incarnation;
import java.util.Map;
import java.util.Optional;

/**
 * The new content of a global unit during its rollout, and which machines have it: those whose ids
 * are not above a bound. So a step of a rollout is one small write whatever the number of machines,
 * and a machine that comes in the middle needs no message of its own.
 *
 * @param sha256 names the {@link FileRecord} that holds the text
 * @param hash names the text to people
 * @param restartCounter of the start that it asks for
 * @param upTo the id of the last machine that has it
 */
public record GlobalUpdate(
    Incarnation incarnation, String sha256, String hash, long restartCounter, String upTo) {

  /** Whether a machine has it. */
  public boolean has(String machine) {
    return machine.compareTo(upTo) <= 0;
  }

  /** The same for the machines up to another one; for none if it is empty. */
  public GlobalUpdate withUpTo(String machine) {
    return new GlobalUpdate(incarnation, sha256, hash, restartCounter, machine);
  }

  Map<String, String> fields() {
    return Map.of(
        "incarnation", incarnation.id(),
        "sha256", sha256,
        "hash", hash,
        "restartCounter", Long.toString(restartCounter),
        "upTo", upTo);
  }

  static Optional<GlobalUpdate> read(FieldReader fields, String name) {
    if (!fields.has(name)) {
      return Optional.empty();
    }
    Map<String, String> texts = fields.textsByName(name);
    return Optional.of(
        new GlobalUpdate(
            new Incarnation(text(fields, name, texts, "incarnation")),
            text(fields, name, texts, "sha256"),
            text(fields, name, texts, "hash"),
            number(fields, name, texts, "restartCounter"),
            text(fields, name, texts, "upTo")));
  }

  static String text(FieldReader fields, String name, Map<String, String> texts, String field) {
    return Optional.ofNullable(texts.get(field))
        .orElseThrow(() -> fields.wrong(name, "lacks " + field));
  }

  static long number(FieldReader fields, String name, Map<String, String> texts, String field) {
    String text = text(fields, name, texts, field);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw fields.wrong(name, "has a " + field + " that is no number: " + text);
    }
  }
}
