package fleet.systemd.simulated;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.time.Duration;

/**
 * The random faults and delays of units' processes.
 *
 * @param startFails how likely a start fails
 * @param endsLater how likely a process that was started ends by itself, half of them by a fault
 * @param slowestStart how long a start takes at most
 * @param slowestStop how long a stop takes at most
 */
public record UnitFortunes(
    double startFails, double endsLater, Duration slowestStart, Duration slowestStop) {

  /** Says what becomes of a unit; asked again at each start. */
  @FunctionalInterface
  public interface Source {

    /**
     * The fortunes of a unit.
     *
     * @param file what it is started from
     */
    UnitFortunes of(UnitName unit, UnitFile file);
  }

  /** Everything starts, runs on and stops as it should. */
  public static final UnitFortunes FAIR =
      new UnitFortunes(0, 0, Duration.ofMillis(300), Duration.ofSeconds(2));

  /** Some fail, some end, some are slow. */
  public static final UnitFortunes MIXED =
      new UnitFortunes(0.05, 0.05, Duration.ofSeconds(1), Duration.ofSeconds(8));

  /** The same, with starts that take up to so long. */
  public UnitFortunes withSlowestStart(Duration time) {
    return new UnitFortunes(startFails, endsLater, time, slowestStop);
  }

  /** The same, with stops that take up to so long. */
  public UnitFortunes withSlowestStop(Duration time) {
    return new UnitFortunes(startFails, endsLater, slowestStart, time);
  }

  /** The same, with every start failing. */
  public UnitFortunes neverStarting() {
    return new UnitFortunes(1, endsLater, slowestStart, slowestStop);
  }
}
