package fleet.registry.records;

import fleet.core.unit.Incarnation;
import fleet.registry.Entry;
import java.time.Instant;

/**
 * The value of {@code placement/<unit>}.
 *
 * @param machine id of the machine that the unit belongs to
 * @param since when it was placed there
 * @param reason why there, in a few words
 */
public record PlacementRecord(
    String machine, Incarnation incarnation, Instant since, String reason, UnknownFields unknown) {

  public PlacementRecord(String machine, Incarnation incarnation, Instant since, String reason) {
    this(machine, incarnation, since, reason, UnknownFields.NONE);
  }

  public static PlacementRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new PlacementRecord(
        fields.text("machine"),
        new Incarnation(fields.text("incarnation")),
        fields.instant("since"),
        fields.text("reason"),
        fields.rest());
  }

  public String json() {
    return new FieldWriter()
        .put("machine", machine)
        .put("incarnation", incarnation.id())
        .put("since", since)
        .put("reason", reason)
        .render(unknown);
  }
}
