package fleet.systemd.simulated;

import java.time.Duration;

/**
 * What becomes of the processes of units.
 *
 * @param startFails how likely a start fails
 * @param endsLater how likely a process that was started ends by itself, half of them by a fault
 * @param slowestStart how long a start takes at most
 * @param slowestStop how long a stop takes at most
 */
public record UnitFortunes(
    double startFails, double endsLater, Duration slowestStart, Duration slowestStop) {

  /** Everything starts, runs on and stops as it should. */
  public static final UnitFortunes FAIR =
      new UnitFortunes(0, 0, Duration.ofMillis(300), Duration.ofSeconds(2));

  /** Some fail, some end, some are slow. */
  public static final UnitFortunes MIXED =
      new UnitFortunes(0.05, 0.05, Duration.ofSeconds(1), Duration.ofSeconds(8));
}
