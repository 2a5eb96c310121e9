package fleet.agent;

import fleet.coordination.AgentCoordination;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Collects the reports of the units here. Owned by the agent's event thread. */
final class ReportCollector {

  /**
   * Transient states of a unit that is placed, started or stopped are merged with the final one, if
   * that comes within this time: it saves the leader of thousands of machines three reports of
   * four.
   */
  private static final Duration SOON = StartProof.TIME.plusMillis(200);

  private final LocalUnits units;
  private final Predicate<UnitName> underWay;
  private final BackgroundWork work;
  private final List<AgentReport> reports = new ArrayList<>();
  private boolean tellsAll;
  private boolean tellsAllSoon;

  /**
   * Begins with nothing to tell.
   *
   * @param underWay whether how some work on a unit ends is yet to be seen
   */
  ReportCollector(LocalUnits units, Predicate<UnitName> underWay, BackgroundWork work) {
    this.units = units;
    this.underWay = underWay;
    this.work = work;
  }

  void add(AgentReport report) {
    reports.add(report);
  }

  /** Reports the states of all units, including changing ones, with the next message. */
  void tellAll() {
    tellsAll = true;
  }

  /** Sends pending reports. Without a session they are kept. */
  void send(String machine, AgentCoordination.@Nullable Session session) {
    gather(machine);
    if (session != null && !reports.isEmpty()) {
      session.report(reports);
      reports.clear();
    }
  }

  private void gather(String machine) {
    Predicate<UnitName> later = tellsAll ? _ -> false : underWay;
    tellsAll = false;
    units.takeNews(machine, later).forEach(state -> reports.add(new AgentReport.Stated(state)));
    if (units.hasNews() && !tellsAllSoon) {
      tellsAllSoon = true;
      work.after(
          SOON,
          () -> {
            tellsAllSoon = false;
            tellsAll = true;
          });
    }
  }
}
