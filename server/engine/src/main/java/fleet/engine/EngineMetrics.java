package fleet.engine;

import fleet.cluster.EngineCounts;
import fleet.cluster.EngineCounts.Counted;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the work of all engines of this process, one after the other. Safe for use by many
 * threads.
 */
final class EngineMetrics {

  private final LongAdder rounds = new LongAdder();
  private final LongAdder scheduled = new LongAdder();
  private final LongAdder notScheduled = new LongAdder();
  private final LongAdder unscheduled = new LongAdder();
  private final LongAdder notUnscheduled = new LongAdder();
  private final LongAdder machineAway = new LongAdder();
  private final LongAdder unableToRun = new LongAdder();
  private final LongAdder unplaceable = new LongAdder();
  private volatile Optional<Instant> leadsSince = Optional.empty();

  void leads(Instant since) {
    leadsSince = Optional.of(since);
  }

  void leadsNoLonger() {
    leadsSince = Optional.empty();
  }

  /** A round is over; it counts if units were considered in it. */
  void decided(List<Decisions> batches) {
    if (batches.stream().anyMatch(batch -> !batch.considered().isEmpty())) {
      rounds.increment();
    }
    batches.forEach(batch -> unplaceable.add(batch.tally().unplaceable()));
  }

  void written(Decisions decisions) {
    scheduled.add(decisions.placements().size());
    unscheduled.add(decisions.tally().taken());
    machineAway.add(decisions.tally().fromLost());
    unableToRun.add(decisions.tally().fromUnable());
  }

  void notWritten(Decisions decisions) {
    notScheduled.add(decisions.placements().size());
    notUnscheduled.add(decisions.tally().taken());
  }

  EngineCounts counts() {
    return new EngineCounts(
        leadsSince,
        rounds.sum(),
        new Counted(scheduled.sum(), notScheduled.sum()),
        new Counted(unscheduled.sum(), notUnscheduled.sum()),
        machineAway.sum(),
        unableToRun.sum(),
        unplaceable.sum());
  }
}
