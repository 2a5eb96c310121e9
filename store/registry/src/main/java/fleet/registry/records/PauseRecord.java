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
 * @param endedBy who asked to go on; empty if nobody has
 * @param expired whether it has ended since its time was over
 */
public record PauseRecord(
    Instant since,
    Instant until,
    long vanished,
    long of,
    String endedBy,
    boolean expired,
    UnknownFields unknown) {

  public PauseRecord(Instant since, Instant until, long vanished, long of) {
    this(since, until, vanished, of, "", false, UnknownFields.NONE);
  }

  public static PauseRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new PauseRecord(
        fields.instant("since"),
        fields.instant("until"),
        fields.number("vanished"),
        fields.number("of"),
        fields.text("endedBy"),
        fields.isTrue("expired"),
        fields.rest());
  }

  public String json() {
    return new FieldWriter()
        .put("since", since)
        .put("until", until)
        .put("vanished", vanished)
        .put("of", of)
        .put("endedBy", endedBy)
        .put("expired", expired)
        .render(unknown);
  }

  /** Whether nobody has asked to go on, and its time is not over. */
  public boolean isInForce() {
    return endedBy.isEmpty() && !expired;
  }

  /** Somebody has asked to go on. */
  public PauseRecord ended(String by) {
    return new PauseRecord(since, until, vanished, of, by, false, unknown);
  }

  /** Its time was over. */
  public PauseRecord ended() {
    return new PauseRecord(since, until, vanished, of, "", true, unknown);
  }

  /** Why units of lost machines move again. */
  public String whyEnded() {
    return expired ? "nobody asked for it in time" : endedBy + " asked for it";
  }
}
