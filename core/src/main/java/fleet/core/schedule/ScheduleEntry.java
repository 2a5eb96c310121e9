package fleet.core.schedule;

import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;

/**
 * One unit of a machine's schedule, with all that its agent needs.
 *
 * @param revision of the registry that wrote the entry; what an agent reports about an entry names
 *     it, so that nothing is taken for an answer to a later one
 */
public record ScheduleEntry(
    UnitName unit,
    Incarnation incarnation,
    UnitFile file,
    Target target,
    long restartCounter,
    boolean global,
    long revision) {

  public ScheduleEntry withTarget(Target other) {
    return new ScheduleEntry(unit, incarnation, file, other, restartCounter, global, revision);
  }
}
