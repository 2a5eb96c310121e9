package fleet.engine;

import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Counts the work of all engines of this process, one after the other. */
final class EngineMetrics {

  private static final String SCHEDULE = "attemptscheduleunit";
  private static final String UNSCHEDULE = "unscheduleunit";

  private final Meter meter;
  private volatile Optional<Instant> leadsSince = Optional.empty();

  EngineMetrics(Meter meter) {
    this.meter = meter;
  }

  /** When the engine began to lead; empty if it does not. */
  Optional<Instant> leadsSince() {
    return leadsSince;
  }

  void leads(Instant since) {
    leadsSince = Optional.of(since);
    meter.record(Metric.FLEET_ENGINE_TERMS_TOTAL, 1);
  }

  void leadsNoLonger() {
    leadsSince = Optional.empty();
  }

  /** A round is over; it counts if units were considered in it. */
  void decided(List<Decisions> batches, long nanos) {
    if (batches.stream().anyMatch(batch -> !batch.considered().isEmpty())) {
      meter.record(Metric.FLEET_ENGINE_RECONCILE_COUNT_TOTAL, 1);
      meter.time(Metric.FLEET_ENGINE_TURN_SECONDS, nanos);
    }
    batches.forEach(batch -> failed("schedule", batch.tally().unplaceable()));
  }

  private void failed(String type, int units) {
    meter.record(Metric.FLEET_ENGINE_RECONCILE_FAILURE_COUNT_TOTAL, units, type);
  }

  /** The causes come before the sum, so that nobody sees a unit taken and not yet why. */
  void written(Decisions decisions) {
    DecisionTally tally = decisions.tally();
    failed("machine_away", tally.moves(MoveCause.LOST));
    failed("run", tally.moves(MoveCause.UNFIT));
    for (MoveCause cause : MoveCause.values()) {
      meter.record(Metric.FLEET_ENGINE_MOVES_TOTAL, tally.moves(cause), cause.text());
    }
    meter.record(Metric.FLEET_ENGINE_TASK_COUNT_TOTAL, tally.taken(), UNSCHEDULE);
    meter.record(Metric.FLEET_ENGINE_TASK_COUNT_TOTAL, decisions.placements().size(), SCHEDULE);
  }

  void notWritten(Decisions decisions) {
    meter.record(
        Metric.FLEET_ENGINE_TASK_FAILURE_COUNT_TOTAL, decisions.placements().size(), SCHEDULE);
    meter.record(
        Metric.FLEET_ENGINE_TASK_FAILURE_COUNT_TOTAL, decisions.tally().taken(), UNSCHEDULE);
  }

  /** Tells whether an engine of this process leads. */
  void tell(Meter scrape) {
    Optional<Instant> since = leadsSince;
    scrape.flag(Metric.FLEET_ENGINE_LEADS, since.isPresent());
    scrape.record(
        Metric.FLEET_ENGINE_LEADER_START_TIME,
        (double) since.map(Instant::getEpochSecond).orElse(0L));
  }
}
