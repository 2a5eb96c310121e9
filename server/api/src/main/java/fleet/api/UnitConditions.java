package fleet.api;

import fleet.cluster.UnitView;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The condition of a unit in one word, by its states on all machines. */
final class UnitConditions {

  private UnitConditions() {}

  /** Whether a unit stays with one of these machines, which are away. */
  static boolean isKeptOn(UnitView unit, Set<String> machines) {
    return unit.keptOn().filter(machines::contains).isPresent();
  }

  /**
   * How many units are in each condition.
   *
   * @param units sorted by name
   * @param maintained the machines in maintenance that are away, where units run on
   */
  static Map<String, Integer> count(
      List<UnitView> units, StatesByUnit states, Set<String> maintained) {
    Map<String, Integer> counts = new HashMap<>();
    states.forEach(
        units,
        (unit, known) ->
            counts.merge(
                isKeptOn(unit, maintained) ? "maintenance" : condition(unit, known),
                1,
                Integer::sum));
    return new TreeMap<>(counts);
  }

  /** One that is broken somewhere is broken. */
  private static String condition(UnitView view, List<UnitState> known) {
    if (isAny(known, SystemdState::isFailed)) {
      return "failed";
    }
    if (view.unit().desired() == DesiredState.INACTIVE) {
      return isAny(known, SystemdState::isActive) ? "stopping" : "submitted";
    }
    if (!view.waiting().isEmpty()) {
      return "waiting";
    }
    if (known.isEmpty()) {
      return "unreported";
    }
    if (isAny(known, SystemdState::isChanging)) {
      return "changing";
    }
    if (isAny(known, SystemdState::isActive)) {
      return "active";
    }
    return view.unit().desired() == DesiredState.LAUNCHED ? "ended" : "loaded";
  }

  private static boolean isAny(List<UnitState> states, Predicate<SystemdState> wanted) {
    for (UnitState state : states) {
      if (wanted.test(state.systemd())) {
        return true;
      }
    }
    return false;
  }
}
