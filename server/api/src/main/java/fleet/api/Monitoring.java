package fleet.api;

import java.util.Optional;

/**
 * The answers to monitoring.
 *
 * @param metrics of this process
 */
public record Monitoring(MetricStore metrics, Readiness readiness) {

  /** For a fleetd that is always ready. */
  public static Monitoring ready() {
    return new Monitoring(new MetricStore(), Optional::empty);
  }
}
