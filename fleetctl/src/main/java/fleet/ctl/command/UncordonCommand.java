package fleet.ctl.command;

import fleet.ctl.client.FleetClient;
import fleet.ctl.client.FleetException;
import picocli.CommandLine.Command;

/** Lets units come to machines again. */
@Command(
    name = "uncordon",
    header = "Let units come to machines again that were cordoned",
    customSynopsis = "MACHINE...",
    description = {
      "Units that wait for room or for such a machine come to it at once; others stay where they are.",
      "MACHINE is an id or the beginning of one; of a machine that is away and has no units, the whole",
      "id."
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
