package fleet.coordination;

import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The reports of a machine: the last of each unit, and the units whose last report is still to be
 * sent. So the backlog does not grow while there is no leader. A report that a unit is gone only
 * answers its entry in the schedule, and is forgotten with it. For one thread.
 */
public final class LatestReports {

  private final Predicate<UnitName> scheduled;
  private final Map<UnitName, AgentReport> last = new LinkedHashMap<>();
  private final Set<UnitName> due = new LinkedHashSet<>();

  /**
   * @param scheduled whether the schedule has an entry of the unit
   */
  public LatestReports(Predicate<UnitName> scheduled) {
    this.scheduled = scheduled;
  }

  public void report(Collection<AgentReport> reports) {
    for (AgentReport report : reports) {
      last.put(report.unit(), report);
      due.remove(report.unit());
      due.add(report.unit());
    }
  }

  public void tellAgain(Collection<UnitName> units) {
    due.addAll(units);
  }

  public void tellAllAgain() {
    due.addAll(last.keySet());
  }

  /** The number of units with unsent reports. */
  public int due() {
    return due.size();
  }

  /** Takes units with unsent reports, up to a limit. */
  public List<UnitName> take(int most) {
    List<UnitName> units = new ArrayList<>();
    Iterator<UnitName> waiting = due.iterator();
    while (waiting.hasNext() && units.size() < most) {
      units.add(waiting.next());
      waiting.remove();
    }
    return units;
  }

  public Optional<AgentReport> last(UnitName unit) {
    return Optional.ofNullable(last.get(unit));
  }

  public List<AgentReport> all() {
    return List.copyOf(last.values());
  }

  /** Units have come into the schedule, or left it. */
  public void scheduleChanged(Collection<UnitName> units) {
    for (UnitName unit : units) {
      if (answersNoEntry(unit)) {
        last.remove(unit);
        due.remove(unit);
      }
    }
  }

  /** The reports of these units were sent. Reports that nobody else needs are forgotten. */
  public void sent(Collection<UnitName> units) {
    for (UnitName unit : units) {
      boolean over = last.get(unit) instanceof AgentReport.Freed || answersNoEntry(unit);
      if (over && !due.contains(unit)) {
        last.remove(unit);
      }
    }
  }

  private boolean answersNoEntry(UnitName unit) {
    return last.get(unit) instanceof AgentReport.Gone && !scheduled.test(unit);
  }
}
