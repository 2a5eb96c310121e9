package fleet.api;

import java.util.Optional;

/**
 * The answers to monitoring.
 *
 * @param metrics of this process
 */
public record MonitoringSources(MetricStore metrics, Readiness readiness) {

  /** For a fleetd that is always ready. */
  public static MonitoringSources ready() {
    return new MonitoringSources(new MetricStore(), Optional::empty);
  }
}
