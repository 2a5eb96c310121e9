package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.machine.Resources;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which global units apply on one machine. The leader and the machine's agent both ask this, and so
 * agree without messages.
 *
 * <p>A unit that is placed on the machine stays, whatever global unit conflicts with it, or asks
 * for room that it takes. If two global units conflict, or there is no room for both, the one first
 * in the alphabet applies.
 *
 * @param applicable the units that the machine runs, sorted
 * @param others why it does not run the others; sorted
 */
public record GlobalUnits(Set<UnitName> applicable, Map<UnitName, Rejection> others) {

  /** A cluster without global units. */
  public static final GlobalUnits NONE = new GlobalUnits(Set.of(), Map.of());

  /**
   * Judges a machine by schedule entries, as an agent has them.
   *
   * @param overcommit how much more than it has is promised of the machine
   * @param placed the units placed on the machine, those that are to stop among them
   * @param globals the global units of the cluster
   */
  public static GlobalUnits of(
      Machine machine,
      Overcommit overcommit,
      Collection<ScheduleEntry> placed,
      Collection<ScheduleEntry> globals) {
    return judge(machine, overcommit, demands(placed), demands(globals));
  }

  /**
   * Judges a machine.
   *
   * @param overcommit how much more than it has is promised of the machine
   * @param placed the units placed on the machine, those that are to stop among them
   * @param globals the global units of the cluster
   */
  public static GlobalUnits judge(
      Machine machine,
      Overcommit overcommit,
      Collection<Demand> placed,
      Collection<Demand> globals) {
    if (globals.isEmpty()) {
      return NONE;
    }
    Resources capacity = overcommit.of(machine.total(), machine.kept());
    Resources reserved = Resources.UNKNOWN;
    for (Demand demand : placed) {
      reserved = reserved.plus(demand.reservationOn(machine));
    }
    List<Demand> accepted = new ArrayList<>(placed);
    Set<UnitName> applicable = new TreeSet<>();
    Map<UnitName, Rejection> others = new TreeMap<>();
    for (Demand global : sorted(globals)) {
      Resources asked = global.reservationOn(machine);
      Resources room = ResourcesFilter.room(capacity, reserved);
      Optional<Rejection> rejection =
          verdict(machine, accepted, global).or(() -> ResourcesFilter.judge(asked, room));
      if (rejection.isEmpty()) {
        accepted.add(global);
        reserved = reserved.plus(asked);
        applicable.add(global.unit());
      } else {
        others.put(global.unit(), rejection.get());
      }
    }
    return new GlobalUnits(
        Collections.unmodifiableSet(applicable), Collections.unmodifiableMap(others));
  }

  private static Optional<Rejection> verdict(
      Machine machine, List<Demand> accepted, Demand global) {
    return MachineIdFilter.judge(global.requirements(), machine)
        .or(() -> MetadataFilter.judge(global.requirements(), machine))
        .or(() -> MetadataAffinityFilter.judge(global.requirements(), machine))
        .or(() -> ConflictsFilter.judge(global, accepted));
  }

  private static List<Demand> sorted(Collection<Demand> demands) {
    return demands.stream().sorted(Comparator.comparing(Demand::unit)).toList();
  }

  private static List<Demand> demands(Collection<ScheduleEntry> entries) {
    return entries.stream().map(entry -> new Demand(entry.unit(), entry.requirements())).toList();
  }
}
