package fleet.registry.records;

import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.registry.Entry;
import java.time.Instant;

/**
 * The value of {@code unit/<name>}.
 *
 * @param sha256 names the {@link FileRecord} that holds the text
 * @param hash names the text to people
 * @param by who submitted or last changed it
 */
public record UnitRecord(
    Incarnation incarnation,
    String sha256,
    String hash,
    DesiredState desired,
    long restartCounter,
    String by,
    Instant created,
    UnknownFields unknown) {

  public UnitRecord(
      Incarnation incarnation,
      String sha256,
      String hash,
      DesiredState desired,
      long restartCounter,
      String by,
      Instant created) {
    this(incarnation, sha256, hash, desired, restartCounter, by, created, UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws fleet.registry.RegistryException where the value is not one of these
   */
  public static UnitRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new UnitRecord(
        new Incarnation(fields.text("incarnation")),
        fields.text("sha256"),
        fields.text("hash"),
        fields.meaning("desired", DesiredState::ofText),
        fields.number("restartCounter"),
        fields.text("by"),
        fields.instant("created"),
        fields.rest());
  }

  /** The value to store. */
  public String json() {
    return new FieldWriter()
        .put("incarnation", incarnation.id())
        .put("sha256", sha256)
        .put("hash", hash)
        .put("desired", desired.text())
        .put("restartCounter", restartCounter)
        .put("by", by)
        .put("created", created.toString())
        .render(unknown);
  }

  public UnitRecord withDesired(DesiredState state, String caller) {
    return new UnitRecord(
        incarnation, sha256, hash, state, restartCounter, caller, created, unknown);
  }

  /** The same unit, told once more to start. */
  public UnitRecord withAnotherStart(String caller) {
    return new UnitRecord(
        incarnation, sha256, hash, desired, restartCounter + 1, caller, created, unknown);
  }
}
