package fleet.coordination.rpc;

import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.rpc.message.ReportMessages;
import fleet.rpc.v1.Reports;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The reports that the leader is still to get of this machine's units: the last of each, few
 * messages at a time, so that the backlog does not grow with the time that the leader is slow.
 * Reports on their way are sent again on the next stream, unless that leader has them; a leader
 * that has nothing gets all. Belongs to its loop.
 */
final class OutgoingReports {

  private static final int BATCH = 200;
  private static final int MOST_UNDER_WAY = 2;

  private final Predicate<UnitName> scheduled;
  private final Map<UnitName, AgentReport> said = new HashMap<>();
  private final Set<UnitName> due = new LinkedHashSet<>();
  private final SortedMap<Long, List<UnitName>> underWay = new TreeMap<>();
  private long number;
  private long taken;

  /**
   * @param scheduled whether the schedule has an entry of the unit
   */
  OutgoingReports(Predicate<UnitName> scheduled) {
    this.scheduled = scheduled;
  }

  void report(Collection<AgentReport> reports) {
    for (AgentReport report : reports) {
      said.put(report.unit(), report);
      due.remove(report.unit());
      due.add(report.unit());
    }
  }

  /** Units have come into the schedule, or left it: what only answered an entry is over with it. */
  void scheduleChanged(Collection<UnitName> units) {
    for (UnitName unit : units) {
      if (said.get(unit) instanceof AgentReport.Gone && !scheduled.test(unit)) {
        said.remove(unit);
        due.remove(unit);
      }
    }
  }

  /**
   * Another stream begins.
   *
   * @param has the last number that its leader has
   */
  void begin(long has) {
    if (has < taken) {
      due.addAll(said.keySet());
    }
    underWay.headMap(has + 1).clear();
    underWay.values().forEach(due::addAll);
    underWay.clear();
    taken = has;
  }

  /** The leader has these and all before. */
  void taken(long upTo) {
    taken = Math.max(taken, upTo);
    Set<UnitName> arrived = new HashSet<>();
    underWay.headMap(upTo + 1).values().forEach(arrived::addAll);
    underWay.headMap(upTo + 1).clear();
    arrived.removeAll(due);
    // A report still on its way is the last word, and may have to be told again.
    underWay.values().forEach(arrived::removeAll);
    for (UnitName unit : arrived) {
      if (isOver(unit)) {
        said.remove(unit);
      }
    }
  }

  /** Whether nobody needs to be told again what was said of a unit last. */
  private boolean isOver(UnitName unit) {
    AgentReport last = said.get(unit);
    return last instanceof AgentReport.Freed
        || (last instanceof AgentReport.Gone && !scheduled.test(unit));
  }

  /** Whether there is a whole message more to be said. */
  boolean areMany() {
    return due.size() >= BATCH;
  }

  /** The next message, where there is one to be sent. */
  Optional<Reports> next() {
    if (due.isEmpty() || underWay.size() >= MOST_UNDER_WAY) {
      return Optional.empty();
    }
    Reports.Builder message = Reports.newBuilder().setNumber(++number);
    List<UnitName> units = new ArrayList<>();
    Iterator<UnitName> waiting = due.iterator();
    while (waiting.hasNext() && units.size() < BATCH) {
      UnitName unit = waiting.next();
      waiting.remove();
      AgentReport report = said.get(unit);
      if (report != null) {
        units.add(unit);
        message.addReports(ReportMessages.message(report));
      }
    }
    underWay.put(number, units);
    return Optional.of(message.build());
  }
}
