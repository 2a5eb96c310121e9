package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import picocli.CommandLine.Command;

/** Has nothing new come to machines. */
@Command(
    name = "cordon",
    header = "Have no new units come to machines",
    customSynopsis = "MACHINE...",
    description = {
      "Units that are on a machine stay there, and can be restarted; those that leave it do not come",
      "back. Global units come all the same. It holds until \"fleetctl uncordon\", also while the",
      "machine is away. MACHINE is an id or the beginning of one; list-machines says who is cordoned."
    },
    exitCodeList = {
      "0:all machines are cordoned",
      "1:there is no such machine, or fleetd could not be asked"
    },
    footer = {"fleetctl cordon 113f16a7"})
final class CordonCommand extends MachinesCommand {

  @Override
  public int run(Session session) throws CommandException, FleetException {
    FleetClient client = client(session);
    return cordon(session, client, ids(client), true);
  }
}
