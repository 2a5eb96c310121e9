package fleet.api;

/**
 * The answers to monitoring.
 *
 * @param metrics of this process
 */
public record Monitoring(MetricStore metrics, Readiness readiness) {}
