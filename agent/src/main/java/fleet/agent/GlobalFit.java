package fleet.agent;

import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** Placeholder. */
final class GlobalFit {
  private GlobalFit() {}

  static Set<UnitName> fitting(
      Machine machine, Collection<ScheduleEntry> placed, Collection<ScheduleEntry> globals) {
    return globals.stream().map(ScheduleEntry::unit).collect(Collectors.toSet());
  }
}
