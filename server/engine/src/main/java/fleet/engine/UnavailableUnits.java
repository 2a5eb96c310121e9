package fleet.engine;

import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The units that should run and do not, on any machine and for any reason. Decides nothing and
 * changes nothing. Owned by the state thread.
 */
final class UnavailableUnits {

  private final ClusterState cluster;
  private final UnitViews views;
  private final SchedulerState schedulerState;

  UnavailableUnits(LiveState state) {
    this.cluster = state.cluster();
    this.views = state.views();
    this.schedulerState = state.schedulerState();
  }

  /**
   * A unit that is down.
   *
   * @param passes whether a change is under way that may end that
   */
  record Down(UnitName unit, String how, boolean passes) {}

  /** The other instances of a unit's template that should run and do not. */
  List<Down> ofFamily(UnitName unit) {
    List<Down> down = new ArrayList<>();
    for (UnitName name : new TreeSet<>(cluster.units().family(unit))) {
      if (!name.equals(unit)) {
        of(name).ifPresent(down::add);
      }
    }
    return down;
  }

  /** Empty if the unit runs, has ended, or need not run; and for a global one. */
  Optional<Down> of(UnitName unit) {
    return cluster
        .units()
        .of(unit)
        .filter(UnavailableUnits::isToRun)
        .flatMap(known -> of(known, cluster.schedule().of(unit)));
  }

  private static boolean isToRun(KnownUnit known) {
    return known.unit().desired() == DesiredState.LAUNCHED
        && !known.hasEnded()
        && !known.requirements().global();
  }

  private Optional<Down> of(KnownUnit known, Optional<ScheduledUnit> place) {
    UnitName unit = known.unit().name();
    if (place.isEmpty()) {
      boolean waits = views.waits(unit);
      return Optional.of(new Down(unit, waits ? "has no place" : "is about to be placed", !waits));
    }
    ScheduledUnit placed = place.get();
    String machine = placed.machine();
    if (!placed.record().incarnation().equals(known.unit().incarnation())) {
      return Optional.of(
          new Down(unit, "is being stopped with its earlier content on machine " + machine, true));
    }
    if (schedulerState.isLeaving(unit)) {
      return Optional.of(new Down(unit, "is leaving machine " + machine, true));
    }
    if (!cluster.isThere(machine)) {
      // In maintenance it probably runs on, but nobody would see it fail.
      return Optional.of(new Down(unit, "is on machine " + machine + ", which is away", true));
    }
    UnitState state = cluster.reports().state(unit, machine);
    if (state == null || !isOfLastStart(placed, state)) {
      return Optional.of(new Down(unit, "is being started on machine " + machine, true));
    }
    if (state.systemd().isActive() || hasEnded(placed, state)) {
      return Optional.empty();
    }
    return Optional.of(
        new Down(
            unit,
            "is " + state.systemd().active() + " on machine " + machine,
            state.systemd().isChanging()));
  }

  /** Whether a unit has run to its end as it should. */
  static boolean hasEnded(ScheduledUnit placed, UnitState state) {
    return isOfLastStart(placed, state)
        && state.systemd().active().equals("inactive")
        && state.problem().isEmpty();
  }

  /** Whether the machine has carried out the start that the entry asks for. */
  static boolean isOfLastStart(ScheduledUnit placed, UnitState state) {
    return placed.record().target() == TargetState.LAUNCHED
        && state.performed() == DesiredState.LAUNCHED
        && state.incarnation().equals(placed.record().incarnation())
        && state.restartCounter() >= placed.record().restartCounter();
  }
}
