package fleet.api;

import fleet.cluster.EngineCounts;
import java.time.Instant;

/** The metrics of the engine, with the names and labels that fleet 1.0 gave them. */
final class EngineMetricsText {

  private static final String SCHEDULE = PrometheusText.label("type", "attemptscheduleunit");
  private static final String UNSCHEDULE = PrometheusText.label("type", "unscheduleunit");

  private EngineMetricsText() {}

  static void write(EngineCounts engine, PrometheusText text) {
    text.metric(
        "fleet_engine_leader_start_time",
        "gauge",
        "When this engine began to lead, in seconds since 1970; 0 if it does not lead",
        engine.leadsSince().map(Instant::getEpochSecond).orElse(0L));
    text.metric(
        "fleet_engine_reconcile_count_total",
        "counter",
        "Rounds in which the engine decided about units",
        engine.rounds());
    String failures = "fleet_engine_reconcile_failure_count_total";
    text.header(
        failures,
        "counter",
        "Units whose machine was lost, could not run them any more, or could not be found");
    text.series(failures, PrometheusText.label("type", "machine_away"), engine.machineAway());
    text.series(failures, PrometheusText.label("type", "run"), engine.unableToRun());
    text.series(failures, PrometheusText.label("type", "schedule"), engine.unplaceable());
    String tasks = "fleet_engine_task_count_total";
    text.header(tasks, "counter", "Units given to a machine, and taken from one");
    text.series(tasks, SCHEDULE, engine.scheduled().written());
    text.series(tasks, UNSCHEDULE, engine.unscheduled().written());
    String failed = "fleet_engine_task_failure_count_total";
    text.header(failed, "counter", "The same, where the registry did not take the decision");
    text.series(failed, SCHEDULE, engine.scheduled().failed());
    text.series(failed, UNSCHEDULE, engine.unscheduled().failed());
  }
}
