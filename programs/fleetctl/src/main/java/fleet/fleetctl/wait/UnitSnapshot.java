package fleet.fleetctl.wait;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.AllStates;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot of one unit: fleet's view, and the reports of its machines.
 *
 * @param unreportedOn the machine that was given the unit and reports nothing of it; may be empty
 * @param presence of that machine, or if there is none, of the one that the unit was kept on
 */
public record UnitSnapshot(
    Optional<UnitEntity> unit,
    List<StateEntity> states,
    String unreportedOn,
    MachinePresence presence) {

  public UnitSnapshot {
    states = List.copyOf(states);
  }

  public static final UnitSnapshot NOTHING = new UnitSnapshot(Optional.empty(), List.of());

  public UnitSnapshot(Optional<UnitEntity> unit, List<StateEntity> states) {
    this(unit, states, "");
  }

  UnitSnapshot(Optional<UnitEntity> unit, List<StateEntity> states, String unreportedOn) {
    this(unit, states, unreportedOn, MachinePresence.PRESENT);
  }

  /** The snapshot of one unit. */
  static UnitSnapshot of(FleetClient client, String unit) throws FleetException {
    Optional<UnitEntity> known = client.unit(unit);
    AllStates states = client.reportsOf(unit);
    return new UnitSnapshot(
        known, states.states(), states.unreportedByUnit().getOrDefault(unit, ""));
  }

  /** The snapshots of some units, in their order. */
  static List<UnitSnapshot> of(FleetClient client, List<String> units) throws FleetException {
    Map<String, UnitEntity> known = client.units(units);
    AllStates all = client.reportsOf(units);
    Map<String, List<StateEntity>> states = all.byUnit();
    Map<String, String> unreported = all.unreportedByUnit();
    List<UnitSnapshot> snapshots = new ArrayList<>();
    for (String unit : units) {
      snapshots.add(
          new UnitSnapshot(
              Optional.ofNullable(known.get(unit)),
              states.getOrDefault(unit, List.of()),
              unreported.getOrDefault(unit, "")));
    }
    return snapshots;
  }

  /**
   * The same as if the unit were placed on one machine, for each of the machines of a global unit.
   */
  List<UnitSnapshot> onEach(List<String> machines) {
    Map<String, StateEntity> reports = new HashMap<>();
    states.forEach(state -> reports.put(state.machineID(), state));
    return machines.stream()
        .map(machine ->
            new UnitSnapshot(
                unit.map(known -> known.withMachine(machine)),
                Optional.ofNullable(reports.get(machine)).map(List::of).orElse(List.of())))
        .toList();
  }

  UnitSnapshot withPresence(MachinePresence now) {
    return new UnitSnapshot(unit, states, unreportedOn, now);
  }

  /** Whether the machine in question is away for a moment. */
  boolean isAwaited() {
    return presence == MachinePresence.AWAITED || presence == MachinePresence.IN_MAINTENANCE;
  }

  UnitSnapshot withUnit(UnitEntity changed) {
    return new UnitSnapshot(Optional.of(changed), states, unreportedOn, presence);
  }

  UnitSnapshot withoutUnit() {
    return new UnitSnapshot(Optional.empty(), states, unreportedOn, presence);
  }

  /** The unit has no place any more, whatever its machine reports. */
  UnitSnapshot withoutPlace() {
    return new UnitSnapshot(unit, states, "", presence);
  }

  UnitSnapshot withState(StateEntity changed) {
    List<StateEntity> others = statesBut(changed.machineID());
    others.add(changed);
    return new UnitSnapshot(
        unit, others, changed.machineID().equals(unreportedOn) ? "" : unreportedOn, presence);
  }

  /** A machine has given the unit up, or is away: only the end of the unit's place there tells. */
  UnitSnapshot withoutState(String machine) {
    return new UnitSnapshot(
        unit, statesBut(machine), unreportedOn.isEmpty() ? machine : unreportedOn, presence);
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
