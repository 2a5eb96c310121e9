package fleet.core.schedule;

import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;

/** One unit of a machine's schedule, with all that its agent needs. */
public record ScheduleEntry(
    UnitName unit,
    Incarnation incarnation,
    UnitFile file,
    Target target,
    long restartCounter,
    boolean global) {

  public ScheduleEntry withTarget(Target other) {
    return new ScheduleEntry(unit, incarnation, file, other, restartCounter, global);
  }
}
