package fleet.engine;

import fleet.cluster.EngineCounts;
import fleet.cluster.EngineCounts.Counted;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Counts the work of all engines of this process, one after the other. A reader sees a round, or a
 * batch, with all of its counts or with none. Safe for use by many threads.
 */
final class EngineMetrics {

  private long rounds;
  private long scheduled;
  private long notScheduled;
  private long unscheduled;
  private long notUnscheduled;
  private long machineAway;
  private long unableToRun;
  private long unplaceable;
  private Optional<Instant> leadsSince = Optional.empty();

  synchronized void leads(Instant since) {
    leadsSince = Optional.of(since);
  }

  synchronized void leadsNoLonger() {
    leadsSince = Optional.empty();
  }

  /** A round is over; it counts if units were considered in it. */
  synchronized void decided(List<Decisions> batches) {
    if (batches.stream().anyMatch(batch -> !batch.considered().isEmpty())) {
      rounds++;
    }
    for (Decisions batch : batches) {
      unplaceable += batch.tally().unplaceable();
    }
  }

  synchronized void written(Decisions decisions) {
    scheduled += decisions.placements().size();
    unscheduled += decisions.tally().taken();
    machineAway += decisions.tally().fromLost();
    unableToRun += decisions.tally().fromUnable();
  }

  synchronized void notWritten(Decisions decisions) {
    notScheduled += decisions.placements().size();
    notUnscheduled += decisions.tally().taken();
  }

  synchronized EngineCounts counts() {
    return new EngineCounts(
        leadsSince,
        rounds,
        new Counted(scheduled, notScheduled),
        new Counted(unscheduled, notUnscheduled),
        machineAway,
        unableToRun,
        unplaceable);
  }
}
