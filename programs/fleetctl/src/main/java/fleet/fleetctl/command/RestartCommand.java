package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitPreparation;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops units where they are and starts them again. */
@Command(
    name = "restart",
    header = "Restart units on their machines",
    customSynopsis = "[--block-attempts=N | --no-block] UNIT...",
    description = {
      "Launched units are restarted, even if they have ended. Loaded units are started. Units",
      "that the cluster does not have are created, as submit does, and started. Waits as start",
      "does."
    },
    exitCodeList = {
      "0:all units run again or ended without failure; with --no-block and for global units: they\nwere told to",
      "1:a unit is only submitted, could not be restarted, failed, or did not get there in time",
      "130:the wait was interrupted; the units stay scheduled"
    },
    footer = {"fleetctl restart web.service"})
final class RestartCommand extends UnitsCommand {

  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    Output output = session.output();
    FleetClient client = client(session);
    Templates.refuse(arguments(session), "Error restarting units: ");
    CreateUnits creating = new CreateUnits(client, output);
    List<UnitPreparation> prepared =
        creating.prepare(arguments(session), new CreateOptions(), List.of(), List.of());
    creating.put(prepared, "launched", List.of());
    try {
      return new StartUnits(client, output, new Waits(client, output, wait)).restart(prepared);
    } catch (FleetException e) {
      throw CommandException.failed("Error restarting units: " + e.getMessage());
    }
  }
}
