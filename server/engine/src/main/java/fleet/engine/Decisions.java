package fleet.engine;

import fleet.core.unit.UnitName;
import fleet.engine.decide.DecisionWrites;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One batch of decisions.
 *
 * @param considered the units that were looked at
 * @param placements where units come to, to be logged once the writes are durable
 * @param messages what else to log then
 * @param tally counts what the batch does
 */
record Decisions(
    DecisionWrites writes,
    Set<UnitName> considered,
    List<String> placements,
    List<String> messages,
    DecisionTally tally) {

  private static final Logger log = LoggerFactory.getLogger(Decisions.class);

  /**
   * More placements than these are one line: a line each would be much of the cost of thousands.
   */
  private static final int TOLD_ONE_BY_ONE = 5;

  static Decisions none() {
    return new Decisions(
        new DecisionWrites(),
        new LinkedHashSet<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new DecisionTally());
  }

  /** Logs the decisions. A line that stops a unit always names it. */
  void log() {
    messages.forEach(log::info);
    if (placements.size() > TOLD_ONE_BY_ONE) {
      log.info("{}, and {} other units on theirs", placements.getFirst(), placements.size() - 1);
      placements.forEach(log::debug);
    } else {
      placements.forEach(log::info);
    }
  }
}
