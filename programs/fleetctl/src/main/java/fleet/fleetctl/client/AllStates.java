package fleet.fleetctl.client;

import fleet.entities.StateEntity;
import fleet.entities.UnreportedEntity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The states of units, as machines report them.
 *
 * @param unreported machines that report nothing of units that they have been given
 */
public record AllStates(List<StateEntity> states, List<UnreportedEntity> unreported) {

  /** The states of each unit that has some. */
  public Map<String, List<StateEntity>> byUnit() {
    return states.stream().collect(Collectors.groupingBy(StateEntity::name));
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
