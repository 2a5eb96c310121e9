package fleet.coordination;

import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/** Receives the schedule of a machine. Must not block. */
public interface ScheduleFollower {

  /**
   * The whole schedule of the machine, global units included; it replaces all that came before.
   *
   * @param machine this machine as the cluster sees it, with metadata that was set at run time
   * @param leftAlone units whose entries exist and cannot be read: they are neither started nor
   *     stopped nor removed until they are told without them
   */
  void snapshot(Machine machine, Collection<ScheduleEntry> entries, Set<UnitName> leftAlone);

  /**
   * The cluster has acknowledged this machine's presence; called repeatedly. If the cluster may
   * have given it up before, its present schedule comes first, so that it does not keep an entry
   * that is another machine's by now.
   *
   * @param ago the age of the acknowledged heartbeat: the cluster counts its silence from then at
   *     the earliest
   */
  void acknowledged(Duration ago);

  /**
   * Entries that are new or changed, and units that are no longer in the schedule; none of either
   * if only what is left alone has changed.
   *
   * @param leftAlone all that are left alone from now on: together with the entries, so that a unit
   *     whose entry can be read again is not taken for one that has none
   */
  void delta(Collection<ScheduleEntry> changed, Set<UnitName> removed, Set<UnitName> leftAlone);

  /**
   * The cluster answers, but another machine with this id is present: this one waits until that is
   * silent, or is about to be refused.
   */
  default void occupied() {}
}
