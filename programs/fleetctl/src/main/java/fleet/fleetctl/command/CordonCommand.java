package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetException;
import picocli.CommandLine.Command;

/** Marks machines as unschedulable. */
@Command(
    name = "cordon",
    header = "Mark machines as unschedulable (cordon)",
    customSynopsis = "MACHINE... | --self",
    description = {
      "Units that are on the machine stay there, and can be restarted. Units that leave it do not",
      "come back. Global units still come to it. The machine stays cordoned until \"fleetctl",
      "uncordon\", even while it is away. MACHINE is a hostname, an address, an id or the",
      "beginning of an id; list-machines shows which machines are cordoned."
    },
    exitCodeList = {
      "0:all machines are cordoned",
      "1:there is no such machine, or fleetd could not be asked"
    },
    footer = {"fleetctl cordon node1 10.0.0.3"})
final class CordonCommand extends MachinesCommand {

  @Override
  int run() throws CommandException, FleetException {
    return cordon(true);
  }
}
