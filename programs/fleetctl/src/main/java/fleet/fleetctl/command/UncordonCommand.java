package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import picocli.CommandLine.Command;

/** Lets units come to machines again. */
@Command(
    name = "uncordon",
    header = "Let units come to machines again that were cordoned",
    customSynopsis = "MACHINE...",
    description = {
      "Units that wait for room or for such a machine come to it at once; others stay where they are.",
      "Ends a drain as well; what has moved does not move back. MACHINE is an id or the beginning of",
      "one."
    },
    exitCodeList = {"0:units may come to all of them", "1:fleetd could not be asked"},
    footer = {"fleetctl uncordon 113f16a7"})
final class UncordonCommand extends MachinesCommand {

  @Override
  public int run(Session session) throws CommandException, FleetException {
    FleetClient client = client(session);
    return cordon(session, client, ids(client), false);
  }
}
