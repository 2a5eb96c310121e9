package fleet.core.machine;

import fleet.core.operation.Operation;
import fleet.core.operation.OperationId;
import java.time.Instant;

/**
 * A machine is being drained.
 *
 * @param maxUnavailable how many instances of a template may be down at a time for that; at least 1
 * @param by who asked for it
 * @param paused whether no further unit leaves for now
 */
public record Drain(int maxUnavailable, String by, Instant started, boolean paused) {

  public Drain {
    if (maxUnavailable < 1) {
      throw new IllegalArgumentException("at least 1 may be unavailable, not " + maxUnavailable);
    }
  }

  /** One that begins. */
  public Drain(int maxUnavailable, String by, Instant started) {
    this(maxUnavailable, by, started, false);
  }

  public Drain withPaused(boolean now) {
    return new Drain(maxUnavailable, by, started, now);
  }

  /** The drain as an operation, which continues until the machine is uncordoned. */
  public Operation of(String machine) {
    return new Operation(OperationId.drain(machine), by, started, "", maxUnavailable)
        .withPaused(paused);
  }
}
