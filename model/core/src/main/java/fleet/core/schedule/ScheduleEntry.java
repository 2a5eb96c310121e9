package fleet.core.schedule;

import fleet.core.machine.Overcommit;
import fleet.core.requirements.Requirements;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;

/**
 * One unit of a machine's schedule, with all that its agent needs.
 *
 * @param revision of the registry that wrote the entry; what an agent reports about an entry names
 *     it, so that nothing is taken for an answer to a later one
 * @param overcommit of a global unit: the overcommit factors, by which agents decide whether it has
 *     room
 * @param require what the unit asks of machines beside its file, each {@code Option=Value} of
 *     {@code [X-Fleet]}
 */
public record ScheduleEntry(
    UnitName unit,
    Incarnation incarnation,
    UnitFile file,
    TargetState target,
    long restartCounter,
    boolean global,
    long revision,
    Overcommit overcommit,
    List<String> require) {

  public ScheduleEntry {
    require = List.copyOf(require);
  }

  public ScheduleEntry withTarget(TargetState other) {
    return new ScheduleEntry(
        unit, incarnation, file, other, restartCounter, global, revision, overcommit, require);
  }

  /** The unit's requirements on machines, by its file and beside it. */
  public Requirements requirements() {
    return Requirements.of(unit, file, require);
  }
}
