package fleet.registry.records;

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

  public String json() {
    return new FieldWriter().put("since", since.toString()).render(unknown);
  }
}
