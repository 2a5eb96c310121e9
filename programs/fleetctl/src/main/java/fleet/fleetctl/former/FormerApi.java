package fleet.fleetctl.former;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import fleet.entities.MachineEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.former.FormerCluster.FormerUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads a cluster by API v1, which fleet 1.0 has as well. */
public final class FormerApi {

  private FormerApi() {}

  /** All units with their states. */
  public static FormerCluster read(FleetClient client) throws FleetException {
    Map<String, List<String>> active = active(client);
    List<FormerUnit> units = new ArrayList<>();
    Map<String, String> unreadable = new TreeMap<>();
    for (UnitEntity unit : client.units()) {
      try {
        String name = UnitName.of(unit.name()).value();
        units.add(
            new FormerUnit(
                name,
                UnitReader.file(unit),
                unit.desiredState(),
                active.getOrDefault(name, List.of())));
      } catch (InvalidUnitNameException e) {
        unreadable.put(unit.name(), String.valueOf(e.getMessage()));
      }
    }
    units.sort(Comparator.comparing(FormerUnit::name));
    return new FormerCluster(units, unreadable);
  }

  private static Map<String, List<String>> active(FleetClient client) throws FleetException {
    Map<String, String> addresses = new HashMap<>();
    for (MachineEntity machine : client.machines().list()) {
      addresses.put(machine.id(), machine.primaryIP());
    }
    Map<String, List<String>> active = new HashMap<>();
    for (StateEntity state : client.states().states()) {
      if (FormerCluster.isActive(state.systemdActiveState())) {
        String id = state.machineID();
        String address = addresses.getOrDefault(id, "");
        active
            .computeIfAbsent(state.name(), _ -> new ArrayList<>())
            .add(address.isEmpty() ? id : address);
      }
    }
    return active;
  }
}
