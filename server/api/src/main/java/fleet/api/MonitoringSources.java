package fleet.api;

/**
 * The answers to monitoring.
 *
 * @param metrics of this process
 */
public record MonitoringSources(MetricStore metrics, Readiness readiness) {}
