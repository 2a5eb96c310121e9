package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineSelector;
import picocli.CommandLine.Option;

/** The one machine that a command is about, if it is not about all. */
final class MachineOption {

  @Option(
      names = "--machine",
      paramLabel = "MACHINE",
      defaultValue = "",
      description = "Only this machine: its hostname, address or id, or the beginning of the id.")
  String machine = "";

  boolean isAbsent() {
    return machine.isEmpty();
  }

  /** The id of the machine; empty if none is named. */
  String id(FleetClient client) throws FleetException {
    return MachineSelector.chosen(client, machine);
  }
}
