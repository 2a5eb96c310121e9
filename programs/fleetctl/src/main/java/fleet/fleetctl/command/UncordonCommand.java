package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetException;
import picocli.CommandLine.Command;

/** Lets units come to machines again. */
@Command(
    name = "uncordon",
    header = "Mark machines as schedulable again; ends a drain",
    customSynopsis = "MACHINE... | --self",
    description = {
      "Units that wait for such a machine or for room come to it at once. Other units stay where",
      "they are, and a drain that ends moves nothing back. MACHINE is a hostname, an address, an",
      "id or the beginning of an id."
    },
    exitCodeList = {"0:units may come to all of them", "1:fleetd could not be asked"},
    footer = {"fleetctl uncordon node1"})
final class UncordonCommand extends MachinesCommand {

  @Override
  int run() throws CommandException, FleetException {
    return cordon(false);
  }
}
