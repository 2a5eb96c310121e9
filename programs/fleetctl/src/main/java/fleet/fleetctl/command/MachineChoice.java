package fleet.fleetctl.command;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.client.UnitReader;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the machines that a question about a unit goes to. */
final class MachineChoice {

  private MachineChoice() {}

  /**
   * The machines that have the unit.
   *
   * @param wanted the id of the one to choose; empty for all
   */
  static List<String> of(FleetClient client, UnitEntity unit, String wanted)
      throws FleetException, CommandException {
    List<String> all = all(client, unit);
    if (wanted.isEmpty() || all.isEmpty()) {
      return all;
    }
    if (!all.contains(wanted)) {
      throw CommandException.failed(
          "Unit %s is not on machine %s, but on %s"
              .formatted(unit.name(), MachineNames.shortId(wanted), list(all)));
    }
    return List.of(wanted);
  }

  /** The same; fails if there is no such unit, or no machine has it. */
  static List<String> of(FleetClient client, String name, Optional<UnitEntity> unit, String wanted)
      throws FleetException, CommandException {
    if (unit.isEmpty()) {
      throw CommandException.failed("Unit " + name + " does not exist.");
    }
    List<String> machines = of(client, unit.get(), wanted);
    if (machines.isEmpty()) {
      throw CommandException.failed(StatusCommand.notLoaded(name, unit.get()));
    }
    return machines;
  }

  private static List<String> all(FleetClient client, UnitEntity unit) throws FleetException {
    if (!UnitReader.isGlobal(unit)) {
      String machine = unit.machineID();
      return machine.isEmpty() ? List.of() : List.of(machine);
    }
    return client.statesOf(unit.name()).stream().map(StateEntity::machineID).toList();
  }

  /** The one machine to ask, if only one can be asked. */
  static String only(String unit, List<String> machines) throws CommandException {
    if (machines.size() > 1) {
      throw CommandException.failed(
          "Unit " + unit + " is on several machines, choose by --machine: " + list(machines));
    }
    return machines.getFirst();
  }

  private static String list(List<String> machines) {
    return machines.stream().map(MachineNames::shortId).collect(Collectors.joining(" "));
  }
}
