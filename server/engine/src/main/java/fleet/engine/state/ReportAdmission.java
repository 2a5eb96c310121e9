package fleet.engine.state;

import fleet.core.state.AgentReport;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;

/**
 * Decides which units a machine may report. A machine that runs a content which is no longer
 * scheduled to it must be heard, even by a new leader: the unit's name is not free before that
 * content has stopped. An invented content must not count, or any machine could keep any unit from
 * running. Owned by the state thread.
 */
public final class ReportAdmission {

  private final StoredUnits units;
  private final StoredSchedule schedule;
  private final UnitReports reports;
  private IncarnationSeal seal = IncarnationSeal.NONE;

  ReportAdmission(StoredUnits units, StoredSchedule schedule, UnitReports reports) {
    this.units = units;
    this.schedule = schedule;
    this.reports = reports;
  }

  void sealedBy(IncarnationSeal known) {
    seal = known;
  }

  /** A report that a unit is absent is harmless. */
  public boolean admits(String machine, AgentReport report) {
    return switch (report) {
      case AgentReport.Stated(var state) -> mayHave(machine, state.unit(), state.incarnation());
      case AgentReport.Refused refused -> mayHave(machine, refused.unit(), refused.incarnation());
      case AgentReport.Gone _, AgentReport.Freed _ -> true;
    };
  }

  private boolean mayHave(String machine, UnitName unit, Incarnation incarnation) {
    return isScheduled(machine, unit)
        || reports.by(machine).contains(unit)
        || isCurrent(unit, incarnation)
        || seal.isOn(unit, incarnation);
  }

  private boolean isScheduled(String machine, UnitName unit) {
    return schedule.of(unit).filter(placed -> placed.machine().equals(machine)).isPresent()
        || schedule.globals().contains(unit);
  }

  /** A content from before the seal is known as long as it is the unit's present one. */
  private boolean isCurrent(UnitName unit, Incarnation incarnation) {
    return units
        .of(unit)
        .filter(known -> known.unit().incarnation().equals(incarnation))
        .isPresent();
  }
}
