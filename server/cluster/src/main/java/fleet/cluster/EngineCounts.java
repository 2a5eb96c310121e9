package fleet.cluster;

import java.time.Instant;
import java.util.Optional;

/**
 * The work of this fleetd's engine since the process started. Each number only grows.
 *
 * @param leadsSince when the engine began to lead; empty if it does not lead
 * @param rounds in which the engine decided about units
 * @param scheduled units that were given to a machine
 * @param unscheduled units that were taken from a machine
 * @param machineAway units that were taken from a machine that is lost; part of {@code unscheduled}
 * @param unableToRun units that were taken from a machine that may not run them any more; part of
 *     {@code unscheduled}
 * @param unplaceable how often no machine was able to run a unit
 */
public record EngineCounts(
    Optional<Instant> leadsSince,
    long rounds,
    Counted scheduled,
    Counted unscheduled,
    long machineAway,
    long unableToRun,
    long unplaceable) {

  /** For a fleetd without an engine. */
  public static final EngineCounts NONE =
      new EngineCounts(Optional.empty(), 0, Counted.NONE, Counted.NONE, 0, 0, 0);

  /**
   * Decisions of one kind.
   *
   * @param written to the registry
   * @param failed because they could not be written, or were overtaken by another change
   */
  public record Counted(long written, long failed) {
    static final Counted NONE = new Counted(0, 0);
  }
}
