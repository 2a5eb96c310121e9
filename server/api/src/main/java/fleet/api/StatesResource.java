package fleet.api;

import fleet.cluster.Cluster;
import fleet.cluster.UnitStates;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.entities.StateEntity;
import fleet.entities.StatePageEntity;
import fleet.entities.UnreportedEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The states of units, as machines report them. */
final class StatesResource {

  private final Pages<UnitState> pages;

  StatesResource(int tokenLimit) {
    this.pages = new Pages<>(tokenLimit);
  }

  void list(Exchange exchange) throws IOException {
    List<UnreportedEntity> unreported = new ArrayList<>();
    Page<UnitState> page = pages.page(exchange, () -> asked(exchange, unreported));
    exchange.stream(
        new StatePageEntity(
            page.nextToken().orElse(""),
            page.items().stream().map(EntityMapper::state).toList(),
            unreported));
  }

  /**
   * The states that a request asks for.
   *
   * @param unreported those that are missing are added to it, unless it asks by patterns
   */
  private List<UnitState> asked(Exchange exchange, List<UnreportedEntity> unreported) {
    List<String> named = exchange.parameters(UnitsResource.ONLY);
    Optional<String> unit = exchange.parameter("unitName");
    Optional<String> machine = exchange.parameter("machineID");
    UnitSelection matching = UnitSelection.of(exchange.parameters(UnitsResource.MATCH));
    Cluster cluster = exchange.reading();
    List<String> names = unit.map(List::of).orElse(named);
    List<UnitState> states =
        names.isEmpty()
            ? all(cluster, machine, unreported)
            : named(cluster, UnitsResource.names(names), machine, unreported);
    return machine.isEmpty() && matching.isEmpty() && (unit.isEmpty() || named.isEmpty())
        ? states
        : states.stream()
            .filter(state -> machine.isEmpty() || machine.get().equals(state.machine()))
            .filter(state -> matching.isEmpty() || matching.has(state.unit()))
            .filter(state -> named.isEmpty() || named.contains(state.unit().value()))
            .toList();
  }

  private static List<UnitState> all(
      Cluster cluster, Optional<String> machine, List<UnreportedEntity> unreported) {
    UnitStates states = cluster.states();
    states
        .unreported()
        .forEach((id, units) -> {
          if (machine.isEmpty() || machine.get().equals(id)) {
            unreported.add(UnreportedEntity.counted(id, units));
          }
        });
    return states.reported();
  }

  /** Those missing are asked for first: what is reported meanwhile is among the states then. */
  private static List<UnitState> named(
      Cluster cluster,
      Set<UnitName> names,
      Optional<String> machine,
      List<UnreportedEntity> unreported) {
    SortedMap<String, List<String>> missing = new TreeMap<>();
    cluster
        .unreported(names)
        .forEach(
            (unit, on) -> missing.computeIfAbsent(on, _ -> new ArrayList<>()).add(unit.value()));
    missing.forEach((id, units) -> {
      if (machine.isEmpty() || machine.get().equals(id)) {
        unreported.add(UnreportedEntity.named(id, units.stream().sorted().toList()));
      }
    });
    return cluster.states(names);
  }

  private static List<UnitState> ofUnit(Cluster cluster, String name) {
    return UnitName.parse(name).map(cluster::states).orElse(List.of());
  }

  /**
   * The state on any one machine. A unit that no machine reports yet has an empty state and not an
   * error: a fleetctl 1.0 that waits for a unit asks again after the first and crashes on a 404.
   */
  void one(Exchange exchange, String name) throws IOException {
    Cluster asked = exchange.reading();
    Optional<UnitState> state = ofUnit(asked, name).stream().findFirst();
    if (state.isEmpty() && !exists(asked, name)) {
      throw new RefusedException(404, "unit state does not exist");
    }
    exchange.reply(state.map(EntityMapper::state).orElse(StateEntity.of("", "")));
  }

  private static boolean exists(Cluster cluster, String name) {
    return UnitName.parse(name).flatMap(cluster::unit).isPresent();
  }
}
