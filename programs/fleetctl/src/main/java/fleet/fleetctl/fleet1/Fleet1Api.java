package fleet.fleetctl.fleet1;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import fleet.entities.MachineEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.AllStates;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.fleet1.Fleet1Cluster.Fleet1Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads a cluster by API v1, which fleet 1.0 has as well. */
public final class Fleet1Api {

  private Fleet1Api() {}

  /** All units with their states. */
  public static Fleet1Cluster read(FleetClient client) throws FleetException {
    List<UnitEntity> all = client.units();
    Map<String, List<String>> active = active(client, all);
    List<Fleet1Unit> units = new ArrayList<>();
    Map<String, String> unreadable = new TreeMap<>();
    for (UnitEntity unit : all) {
      try {
        String name = UnitName.of(unit.name()).value();
        units.add(
            new Fleet1Unit(
                name,
                UnitReader.file(unit),
                unit.desiredState(),
                active.getOrDefault(name, List.of())));
      } catch (InvalidUnitNameException e) {
        unreadable.put(unit.name(), String.valueOf(e.getMessage()));
      }
    }
    units.sort(Comparator.comparing(Fleet1Unit::name));
    return new Fleet1Cluster(units, unreadable);
  }

  /** A unit may run on a machine that does not report it, such as one in maintenance. */
  private static Map<String, List<String>> active(FleetClient client, List<UnitEntity> units)
      throws FleetException {
    Map<String, String> addresses = new HashMap<>();
    for (MachineEntity machine : client.machines().list()) {
      addresses.put(machine.id(), machine.primaryIP());
    }
    Map<String, List<String>> active = new HashMap<>();
    AllStates states = client.reportsOf(units.stream().map(UnitEntity::name).toList());
    for (StateEntity state : states.states()) {
      if (Fleet1Cluster.isActive(state.systemdActiveState())) {
        add(active, state.name(), place(addresses, state.machineID()));
      }
    }
    states
        .unreportedByUnit()
        .forEach((unit, id) -> add(active, unit, place(addresses, id) + " (does not report)"));
    return active;
  }

  private static void add(Map<String, List<String>> active, String unit, String place) {
    active.computeIfAbsent(unit, _ -> new ArrayList<>()).add(place);
  }

  private static String place(Map<String, String> addresses, String id) {
    String address = addresses.getOrDefault(id, "");
    return address.isEmpty() ? id : address;
  }
}
