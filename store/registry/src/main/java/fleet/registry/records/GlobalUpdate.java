package fleet.registry.records;

import fleet.core.unit.Incarnation;

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

  FieldWriter fields() {
    return FieldWriter.ofPart()
        .put("hash", hash)
        .put("incarnation", incarnation.id())
        .put("restartCounter", Long.toString(restartCounter))
        .put("sha256", sha256)
        .put("upTo", upTo);
  }

  static GlobalUpdate of(FieldReader fields) {
    return new GlobalUpdate(
        new Incarnation(fields.text("incarnation")),
        fields.text("sha256"),
        fields.text("hash"),
        fields.numberAsText("restartCounter"),
        fields.text("upTo"));
  }
}
