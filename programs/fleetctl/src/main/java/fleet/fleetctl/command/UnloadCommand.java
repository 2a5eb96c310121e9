package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.output.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops units and unschedules them. */
@Command(
    name = "unload",
    header = "Stop units and unschedule them",
    customSynopsis = "[--block-attempts=N | --no-block] UNIT...",
    description = {
      "The units remain submitted. Waits until each is gone from its machine, a global unit from",
      "every machine that is present."
    },
    exitCodeList = {
      "0:all units are unloaded; with --no-block: accepted",
      "1:a unit does not exist, or was not unloaded in time",
      "130:the wait was interrupted; the units will be unloaded"
    },
    footer = {"fleetctl unload web.service"})
final class UnloadCommand extends UnitsCommand {

  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  int run() throws CommandException {
    Output output = output();
    FleetClient client = client();
    return new StopUnits(client, output, new Waits(client, output, wait), StopUnits.Kind.UNLOAD)
        .run(names());
  }
}
