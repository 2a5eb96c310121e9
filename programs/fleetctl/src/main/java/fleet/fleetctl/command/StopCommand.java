package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.output.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops units and leaves them on their machines. */
@Command(
    name = "stop",
    header = "Stop units and leave them on their machines",
    customSynopsis = "[--block-attempts=N | --no-block] UNIT...",
    description = {
      "Waits until the process of each unit has ended, of a global unit on every machine that is",
      "present."
    },
    exitCodeList = {
      "0:all units are stopped; with --no-block: accepted",
      "1:a unit does not exist, is only submitted, or did not stop in time",
      "130:the wait was interrupted; the units will stop"
    },
    footer = {"fleetctl stop web.service", "fleetctl stop --no-block web@1 web@2"})
final class StopCommand extends UnitsCommand {

  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  int run() throws CommandException {
    Output output = output();
    FleetClient client = client();
    return new StopUnits(client, output, new Waits(client, output, wait), StopUnits.Kind.STOP)
        .run(names());
  }
}
