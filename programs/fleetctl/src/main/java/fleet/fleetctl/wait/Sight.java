package fleet.fleetctl.wait;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One unit as it is known: what fleet says, and what each machine that has it says. */
public record Sight(Optional<UnitEntity> unit, List<StateEntity> states) {

  public Sight {
    states = List.copyOf(states);
  }

  public static final Sight NOTHING = new Sight(Optional.empty(), List.of());

  Sight withUnit(UnitEntity changed) {
    return new Sight(Optional.of(changed), states);
  }

  Sight withoutUnit() {
    return new Sight(Optional.empty(), states);
  }

  Sight withState(StateEntity changed) {
    List<StateEntity> others = statesBut(changed.machineID());
    others.add(changed);
    return new Sight(unit, others);
  }

  Sight withoutState(String machine) {
    return new Sight(unit, statesBut(machine));
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
