package fleet.cluster;

import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import fleet.core.text.Keyword;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Absent machines.
 *
 * @param machines those that have units, are cordoned or in maintenance, sorted by id
 * @param pause of rescheduling, if there is one
 * @param departed those that were there, and are lost or have left; sorted by id
 */
public record AbsentMachines(
    List<Absent> machines, Optional<Pause> pause, List<Departed> departed) {

  public AbsentMachines {
    machines = List.copyOf(machines);
    departed = List.copyOf(departed);
  }

  /**
   * A machine that is lost or has left.
   *
   * @param machine as far as it was known
   * @param left whether it said that it goes
   */
  public record Departed(Machine machine, boolean left, Instant since) {

    public String id() {
      return machine.id();
    }
  }

  /**
   * A machine that is absent.
   *
   * @param units how many are placed on it
   * @param maintenance its maintenance window, if it is in one
   */
  public record Absent(
      String machine, int units, Standing standing, Optional<Maintenance> maintenance) {}

  /** The state of an absent machine, and so of its units. */
  public enum Standing implements Keyword {
    /** It may be about to come back, or to report to a new leader: its units stay with it. */
    AWAITED,
    /** It is lost together with so many others that its units stay while rescheduling is paused. */
    HELD,
    /** It is lost: its units run elsewhere if other machines take them. */
    LOST,
    /** It has no units, and gets none when it is back. */
    CORDONED,
    /** It is in maintenance: its units run on there. */
    MAINTENANCE
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
