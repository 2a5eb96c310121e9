package fleet.coordination.rpc;

import fleet.coordination.LatestReports;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.rpc.message.ReportMessages;
import fleet.rpc.v1.Reports;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The unsent reports of this machine's units, a few messages at a time. Unacknowledged reports are
 * sent again on the next stream, unless that leader has them; a leader that has nothing gets all.
 * Belongs to its loop.
 */
final class OutgoingReports {

  private static final int BATCH = 200;
  private static final int MOST_UNDER_WAY = 2;

  private final LatestReports reports;
  private final SortedMap<Long, List<UnitName>> underWay = new TreeMap<>();
  private long number;
  private long taken;

  /**
   * @param scheduled whether the schedule has an entry of the unit
   */
  OutgoingReports(Predicate<UnitName> scheduled) {
    this.reports = new LatestReports(scheduled);
  }

  void report(Collection<AgentReport> told) {
    reports.report(told);
  }

  void scheduleChanged(Collection<UnitName> units) {
    reports.scheduleChanged(units);
  }

  /**
   * Another stream begins.
   *
   * @param has the last number that its leader has
   */
  void begin(long has) {
    if (has < taken) {
      reports.tellAllAgain();
    }
    underWay.headMap(has + 1).clear();
    underWay.values().forEach(reports::tellAgain);
    underWay.clear();
    taken = has;
  }

  /** The leader has these and all before. */
  void taken(long upTo) {
    taken = Math.max(taken, upTo);
    Set<UnitName> arrived = new HashSet<>();
    underWay.headMap(upTo + 1).values().forEach(arrived::addAll);
    underWay.headMap(upTo + 1).clear();
    // A report still on its way is the last word, and may have to be told again.
    underWay.values().forEach(arrived::removeAll);
    reports.sent(arrived);
  }

  /** Whether there is a whole message more to be said. */
  boolean areMany() {
    return reports.due() >= BATCH;
  }

  /** The next message, if there is one to be sent. */
  Optional<Reports> next() {
    if (reports.due() == 0 || underWay.size() >= MOST_UNDER_WAY) {
      return Optional.empty();
    }
    Reports.Builder message = Reports.newBuilder().setNumber(++number);
    List<UnitName> units = reports.take(BATCH);
    for (UnitName unit : units) {
      reports.last(unit).map(ReportMessages::message).ifPresent(message::addReports);
    }
    underWay.put(number, units);
    return Optional.of(message.build());
  }
}
