package fleet.api;

import fleet.cluster.Cluster;
import fleet.cluster.UnitStates;
import fleet.core.state.UnitState;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import fleet.entities.StateEntity;
import fleet.entities.StatePageEntity;
import fleet.entities.UnreportedEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The states of units, as machines report them. */
final class StatesResource {

  private final Pages<UnitState> pages;

  StatesResource(int tokenLimit) {
    this.pages = new Pages<>(tokenLimit);
  }

  void list(Exchange exchange) throws IOException {
    exchange.allow("GET");
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
   * @param unreported if it asks for all, those that are missing are added to it
   */
  private List<UnitState> asked(Exchange exchange, List<UnreportedEntity> unreported) {
    List<String> named = exchange.parameters(UnitsResource.ONLY);
    Optional<String> unit = exchange.parameter("unitName");
    Optional<String> machine = exchange.parameter("machineID");
    UnitSelection matching = UnitSelection.of(exchange.parameters(UnitsResource.MATCH));
    Cluster cluster = exchange.reading();
    List<UnitState> states =
        unit.map(name -> ofUnit(cluster, name))
            .orElseGet(() ->
                named.isEmpty()
                    ? all(cluster, machine, unreported)
                    : cluster.states(UnitsResource.names(named)));
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
            unreported.add(new UnreportedEntity(id, units));
          }
        });
    return states.reported();
  }

  private static List<UnitState> ofUnit(Cluster cluster, String name) {
    try {
      return cluster.states(UnitName.of(name));
    } catch (InvalidUnitNameException e) {
      return List.of();
    }
  }

  /**
   * The state on any one machine. A unit that no machine reports yet has an empty state and not an
   * error: a fleetctl 1.0 that waits for a unit asks again after the first and crashes on a 404.
   */
  void one(Exchange exchange, String name) throws IOException {
    exchange.allow("GET");
    Cluster asked = exchange.reading();
    Optional<UnitState> state = ofUnit(asked, name).stream().findFirst();
    if (state.isEmpty() && !exists(asked, name)) {
      throw new RefusedException(404, "unit state does not exist");
    }
    exchange.reply(state.map(EntityMapper::state).orElse(StateEntity.of("", "")));
  }

  private static boolean exists(Cluster cluster, String name) {
    try {
      return cluster.unit(UnitName.of(name)).isPresent();
    } catch (InvalidUnitNameException e) {
      return false;
    }
  }
}
