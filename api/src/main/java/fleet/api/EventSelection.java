package fleet.api;

import fleet.cluster.Event;
import fleet.cluster.UnitView;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.util.Set;

/**
 * What a follower of events wants to hear of.
 *
 * @param units the units; all, and the machines, where there are none
 * @param names the events' names; all where there are none
 * @param options whether with the options of the units' files
 */
record EventSelection(Set<String> units, Set<String> names, boolean options) {

  /** A gap concerns everybody. */
  boolean has(Event.Body body) {
    return body instanceof Event.Gap
        || ((names.isEmpty() || names.contains(body.name()))
            && (units.isEmpty() || isOfUnits(body)));
  }

  private boolean isOfUnits(Event.Body body) {
    return switch (body) {
      case Event.UnitCommanded commanded -> units.contains(commanded.unit().value());
      case Event.Placed placed -> units.contains(placed.unit().value());
      case Event.Moved moved -> units.contains(moved.unit().value());
      case Event.Leaving leaving -> units.contains(leaving.unit().value());
      case Event.Left left -> units.contains(left.unit().value());
      case Event.UnitChanged(UnitView unit) -> units.contains(unit.unit().name().value());
      case Event.UnitDestroyed(UnitName unit) -> units.contains(unit.value());
      case Event.StateChanged(UnitState state) -> units.contains(state.unit().value());
      case Event.StateGone(UnitName unit, String machine) -> units.contains(unit.value());
      case Event.MachineCommanded commanded -> false;
      case Event.Configured configured -> false;
      case Event.TokenCommanded commanded -> false;
      case Event.RolloutTold told -> units.contains(told.rollout().value());
      case Event.RebalanceCommanded commanded -> false;
      case Event.RebalanceEnded ended -> false;
      case Event.MachineChanged changed -> false;
      case Event.MachineGone gone -> false;
      case Event.ReschedulingPaused paused -> false;
      case Event.ReschedulingResumed resumed -> false;
      case Event.LeaderChanged leader -> false;
      case Event.Gap gap -> true;
    };
  }
}
