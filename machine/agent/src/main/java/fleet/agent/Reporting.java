package fleet.agent;

import fleet.coordination.AgentCoordination;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Gathers what is to be told of the units here. Owned by the agent's event thread. */
final class Reporting {

  /**
   * States that a unit passes through while it is placed, started or stopped are reported together
   * with the last one, if that comes as soon as this: the leader of thousands of machines hears a
   * fourth as much.
   */
  private static final Duration SOON = StartProof.TIME.plusMillis(200);

  private final LocalUnits units;
  private final Predicate<UnitName> underWay;
  private final Work work;
  private final List<AgentReport> reports = new ArrayList<>();
  private boolean tellsAll;
  private boolean tellsAllSoon;

  /**
   * Begins with nothing to tell.
   *
   * @param underWay whether how some work on a unit ends is yet to be seen
   */
  Reporting(LocalUnits units, Predicate<UnitName> underWay, Work work) {
    this.units = units;
    this.underWay = underWay;
    this.work = work;
  }

  void add(AgentReport report) {
    reports.add(report);
  }

  /**
   * Tells the states of all units, those too that are still changing, with the next that is sent.
   */
  void tellAll() {
    tellsAll = true;
  }

  /** Sends what there is to tell. Without a session it is kept. */
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
