package fleet.registry.records;

import java.time.Instant;

/**
 * The value of {@code joined}: the cluster has joined machines, which reach only a leader, not the
 * store. Kept after they have left.
 *
 * @param since when the first one came
 */
public record JoinedRecord(Instant since, UnknownFields unknown) {

  public JoinedRecord(Instant since) {
    this(since, UnknownFields.NONE);
  }

  public String json() {
    return new FieldWriter().put("since", since).render(unknown);
  }
}
