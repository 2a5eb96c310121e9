package fleet.registry.records;

import fleet.registry.Entry;
import java.time.Instant;

/**
 * The value of {@code pause}: units of lost machines are not given to others for now, since too
 * many machines vanished at once. The leader creates it, and deletes it when the pause is over.
 *
 * @param until when it is over by itself
 * @param vanished how many machines vanished
 * @param of how many there were before
 * @param endedBy who asked to go on; empty where nobody has
 */
public record PauseRecord(
    Instant since, Instant until, long vanished, long of, String endedBy, UnknownFields unknown) {

  public PauseRecord(Instant since, Instant until, long vanished, long of) {
    this(since, until, vanished, of, "", UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws fleet.registry.RegistryException where the value is not one of these
   */
  public static PauseRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new PauseRecord(
        fields.instant("since"),
        fields.instant("until"),
        fields.number("vanished"),
        fields.number("of"),
        fields.text("endedBy"),
        fields.rest());
  }

  /** The value to store. */
  public String json() {
    return new FieldWriter()
        .put("since", since.toString())
        .put("until", until.toString())
        .put("vanished", vanished)
        .put("of", of)
        .put("endedBy", endedBy)
        .render(unknown);
  }

  /** Whether nobody has asked to go on. */
  public boolean isInForce() {
    return endedBy.isEmpty();
  }

  public PauseRecord ended(String by) {
    return new PauseRecord(since, until, vanished, of, by, unknown);
  }
}
