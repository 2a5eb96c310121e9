package fleet.cluster;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Absent machines that have units.
 *
 * @param machines sorted by id
 * @param pause of rescheduling, if there is one
 */
public record AbsentMachines(List<Absent> machines, Optional<Pause> pause) {

  public AbsentMachines {
    machines = List.copyOf(machines);
  }

  /**
   * A machine that is absent.
   *
   * @param units how many are placed on it
   */
  public record Absent(String machine, int units, Standing standing) {}

  /** The state of an absent machine, and so of its units. */
  public enum Standing {
    /** It may be about to come back, or to report to a new leader: its units stay with it. */
    AWAITED,
    /** It is lost together with so many others that its units stay while rescheduling is paused. */
    HELD,
    /** It is lost: its units run elsewhere if other machines take them. */
    LOST,
    /** It has no units, and gets none when it is back. */
    CORDONED
  }

  /**
   * Too many machines vanished at once, so that the network is the likelier cause.
   *
   * @param until when rescheduling resumes by itself
   * @param vanished how many machines vanished
   * @param of how many there were before
   */
  public record Pause(Instant since, Instant until, int vanished, int of) {

    /** The same for people. */
    public String text() {
      return "%d of %d machines vanished at once, so units of lost machines stay where they are until %s or `fleetctl resume`"
          .formatted(vanished, of, until.truncatedTo(ChronoUnit.SECONDS));
    }
  }
}
