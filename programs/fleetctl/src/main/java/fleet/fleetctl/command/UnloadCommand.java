package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.output.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops units and takes them from their machines. */
@Command(
    name = "unload",
    header = "Stop units and take them from their machines",
    customSynopsis = "[--block-attempts=N | --no-block] UNIT...",
    description = {
      "The cluster keeps them as submitted. Waits until each is gone from its machine. Global units",
      "are not waited for."
    },
    exitCodeList = {
      "0:all units are unloaded, or were asked to be (--no-block, global units)",
      "1:a unit does not exist, or was not unloaded in time",
      "130:the wait was interrupted; the units are to be unloaded all the same"
    },
    footer = {"fleetctl unload web.service"})
final class UnloadCommand extends UnitsCommand {

  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  public int run(Session session) throws CommandException {
    Output output = session.output();
    FleetClient client = client(session);
    return new Lowering(client, output, new Waits(client, output, wait), Lowering.Kind.UNLOAD)
        .run(names(session));
  }
}
