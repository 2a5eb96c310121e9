package fleet.fleetctl.wait;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A snapshot of one unit: fleet's view, and the reports of its machines. */
public record UnitSnapshot(Optional<UnitEntity> unit, List<StateEntity> states) {

  public UnitSnapshot {
    states = List.copyOf(states);
  }

  public static final UnitSnapshot NOTHING = new UnitSnapshot(Optional.empty(), List.of());

  /** The snapshots of some units, in their order. */
  static List<UnitSnapshot> of(FleetClient client, List<String> units) throws FleetException {
    Map<String, UnitEntity> known = client.units(units);
    Map<String, List<StateEntity>> states = client.statesOf(units);
    List<UnitSnapshot> sights = new ArrayList<>();
    for (String unit : units) {
      sights.add(
          new UnitSnapshot(
              Optional.ofNullable(known.get(unit)), states.getOrDefault(unit, List.of())));
    }
    return sights;
  }

  /** The same as if the unit were placed on one machine: for a global unit, on one of its own. */
  UnitSnapshot on(String machine) {
    return new UnitSnapshot(
        unit.map(known -> known.withMachine(machine)),
        stateOn(machine).map(List::of).orElse(List.of()));
  }

  UnitSnapshot withUnit(UnitEntity changed) {
    return new UnitSnapshot(Optional.of(changed), states);
  }

  UnitSnapshot withoutUnit() {
    return new UnitSnapshot(Optional.empty(), states);
  }

  UnitSnapshot withState(StateEntity changed) {
    List<StateEntity> others = statesBut(changed.machineID());
    others.add(changed);
    return new UnitSnapshot(unit, others);
  }

  UnitSnapshot withoutState(String machine) {
    return new UnitSnapshot(unit, statesBut(machine));
  }

  private List<StateEntity> statesBut(String machine) {
    List<StateEntity> others = new ArrayList<>();
    for (StateEntity state : states) {
      if (!state.machineID().equals(machine)) {
        others.add(state);
      }
    }
    return others;
  }

  /** The state on one machine. */
  Optional<StateEntity> stateOn(String machine) {
    for (StateEntity state : states) {
      if (state.machineID().equals(machine)) {
        return Optional.of(state);
      }
    }
    return Optional.empty();
  }

  /** The invocations that are there, to be told from later ones. */
  public List<String> invocations() {
    List<String> ids = new ArrayList<>();
    for (StateEntity state : states) {
      String id = state.invocationID();
      if (!id.isEmpty()) {
        ids.add(id);
      }
    }
    return ids;
  }
}
