package fleet.fleetctl.client;

import fleet.entities.StateEntity;
import fleet.entities.UnreportedEntity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The states of units, as machines report them.
 *
 * @param unreported machines that report nothing of units that they have been given
 */
public record AllStates(List<StateEntity> states, List<UnreportedEntity> unreported) {

  /** The states of each unit that has some. */
  public Map<String, List<StateEntity>> byUnit() {
    Map<String, List<StateEntity>> byUnit = new HashMap<>();
    for (StateEntity state : states) {
      byUnit.computeIfAbsent(state.name(), _ -> new ArrayList<>()).add(state);
    }
    return byUnit;
  }

  /** The machine that reports nothing of a unit, by unit; only if units were asked for by name. */
  public Map<String, String> unreportedByUnit() {
    Map<String, String> machines = new HashMap<>();
    for (UnreportedEntity machine : unreported) {
      machine.names().forEach(unit -> machines.put(unit, machine.machineID()));
    }
    return machines;
  }
}
