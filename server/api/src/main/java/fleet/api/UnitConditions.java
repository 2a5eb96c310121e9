package fleet.api;

import fleet.cluster.UnitView;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The condition of each unit in one word, by its states on all machines. */
final class UnitConditions {

  private final Map<UnitName, List<UnitState>> states = new HashMap<>();

  UnitConditions(List<UnitState> reported) {
    reported.forEach(
        state -> states.computeIfAbsent(state.unit(), _ -> new ArrayList<>()).add(state));
  }

  List<UnitState> states(UnitView view) {
    return states.getOrDefault(view.unit().name(), List.of());
  }

  /** Whether a unit stays with one of these machines, which are away. */
  static boolean isKeptOn(UnitView unit, Set<String> machines) {
    return unit.keptOn().filter(machines::contains).isPresent();
  }

  /**
   * How many units are in each condition.
   *
   * @param maintained the machines in maintenance that are away, where units run on
   */
  Map<String, Integer> count(List<UnitView> units, Set<String> maintained) {
    Map<String, Integer> counts = new TreeMap<>();
    units.forEach(unit ->
        counts.merge(
            isKeptOn(unit, maintained) ? "maintenance" : condition(unit), 1, Integer::sum));
    return counts;
  }

  /** One that is broken somewhere is broken. */
  private String condition(UnitView view) {
    List<SystemdState> known = states(view).stream().map(UnitState::systemd).toList();
    if (known.stream().anyMatch(SystemdState::isFailed)) {
      return "failed";
    }
    if (view.unit().desired() == DesiredState.INACTIVE) {
      return known.stream().anyMatch(SystemdState::isActive) ? "stopping" : "submitted";
    }
    if (!view.waiting().isEmpty()) {
      return "waiting";
    }
    if (known.isEmpty()) {
      return "unreported";
    }
    if (known.stream().anyMatch(SystemdState::isChanging)) {
      return "changing";
    }
    if (known.stream().anyMatch(SystemdState::isActive)) {
      return "active";
    }
    return view.unit().desired() == DesiredState.LAUNCHED ? "ended" : "loaded";
  }
}
