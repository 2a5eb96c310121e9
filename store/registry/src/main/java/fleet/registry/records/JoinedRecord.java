package fleet.registry.records;

import fleet.registry.Entry;
import java.time.Instant;

/**
 * The value of {@code joined}: there are machines in this cluster that cannot reach its store, and
 * have nobody but a leader that they can speak to. It stays when they have left.
 *
 * @param since when the first one came
 */
public record JoinedRecord(Instant since, UnknownFields unknown) {

  public JoinedRecord(Instant since) {
    this(since, UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws fleet.registry.RegistryException if the value is not one of these
   */
  public static JoinedRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new JoinedRecord(fields.instant("since"), fields.rest());
  }

  /** The value to store. */
  public String json() {
    return new FieldWriter().put("since", since.toString()).render(unknown);
  }
}
