package fleet.api;

import static java.util.stream.Collectors.toMap;

import fleet.cluster.Cluster;
import fleet.cluster.MachineView;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.access.Place;
import fleet.core.access.Target;
import fleet.core.desired.Unit;
import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the machines of the units that a request is about, since grants may be limited to some
 * machines. The machines are read once. For one thread.
 */
final class Targets {

  private final Cluster cluster;
  private Optional<Map<String, Map<String, String>>> machines = Optional.empty();

  Targets(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Makes the next call read the machines again. */
  void forgetMachines() {
    machines = Optional.empty();
  }

  Target.OfMachine machine(String id) {
    return new Target.OfMachine(place(id));
  }

  static Target.OfMachine of(MachineView view) {
    return of(view.machine());
  }

  static Target.OfMachine of(Machine machine) {
    return new Target.OfMachine(new Place(machine.id(), machine.metadata()));
  }

  /** A unit on one machine. */
  Target.OfUnit on(UnitName unit, String machine) {
    return new Target.OfUnit(unit, List.of(place(machine)));
  }

  /** A unit on the machines that have it; before it has one, on those that it requires. */
  Target.OfUnit of(UnitView view) {
    Unit unit = view.unit();
    List<Place> places =
        view.global()
            ? cluster.states(unit.name()).stream().map(state -> place(state.machine())).toList()
            : view.machine().map(this::place).stream().toList();
    return new Target.OfUnit(
        unit.name(),
        places.isEmpty() ? demanded(unit.name(), unit.file(), unit.require()) : places);
  }

  /** The same for a unit that may not exist. */
  Target.OfUnit of(UnitName name) {
    return cluster.unit(name).map(this::of).orElseGet(() -> new Target.OfUnit(name, List.of()));
  }

  /** A unit with its future state: both the present and the future one count. */
  Target.OfUnit of(UnitPut put) {
    Optional<Unit> old = cluster.stored(put.name());
    return put.file()
        .or(() -> old.map(Unit::file))
        .map(file -> new Target.OfUnit(put.name(), demanded(put.name(), file, put.require())))
        .orElseGet(() -> new Target.OfUnit(put.name(), List.of()));
  }

  Target.OfUnit of(UnitState state) {
    return on(state.unit(), state.machine());
  }

  private static List<Place> demanded(UnitName name, UnitFile file, List<String> require) {
    Requirements asked = Requirements.of(name, file, require);
    Map<String, String> metadata = new HashMap<>();
    asked
        .metadata()
        .forEach((key, values) -> {
          if (values.size() == 1) {
            metadata.put(key, values.iterator().next());
          }
        });
    return List.of(new Place(asked.machineId().orElse(""), metadata));
  }

  private Place place(String machine) {
    if (machines.isEmpty()) {
      machines =
          Optional.of(
              cluster.machines().stream()
                  .collect(toMap(MachineView::id, view -> view.machine().metadata())));
    }
    return new Place(machine, machines.get().getOrDefault(machine, Map.of()));
  }
}
