package fleet.registry.records;

import fleet.registry.Entry;
import java.time.Instant;

/**
 * The value of {@code moved}: what is in this registry has come, or is just coming, from another
 * one.
 *
 * @param from id of the store that it comes from
 * @param machine that has, or had, that other registry
 * @param since when it began
 * @param done whether all of it is here; if not, nothing may rely on it
 */
public record MoveRecord(
    String from, String machine, Instant since, boolean done, UnknownFields unknown) {

  private static final String DONE = "done";
  private static final String UNDER_WAY = "under way";

  /** One that begins. */
  public MoveRecord(String from, String machine, Instant since) {
    this(from, machine, since, false, UnknownFields.NONE);
  }

  public static MoveRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new MoveRecord(
        fields.text("from"),
        fields.text("machine"),
        fields.instant("since"),
        fields.text("state").equals(DONE),
        fields.rest());
  }

  public MoveRecord ended() {
    return new MoveRecord(from, machine, since, true, unknown);
  }

  public String json() {
    return new FieldWriter()
        .put("from", from)
        .put("machine", machine)
        .put("since", since)
        .put("state", done ? DONE : UNDER_WAY)
        .render(unknown);
  }
}
