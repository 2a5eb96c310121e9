package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitPreparation;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Stops units where they are and starts them again. */
@Command(
    name = "restart",
    header = "Restart units on their machines",
    customSynopsis =
        "[--max-unavailable=N | --all-at-once] [--block-attempts=N | --no-block] UNIT...",
    description = {
      "Launched units are restarted, even if they have ended. Loaded units are started. Units",
      "that the cluster does not have are created, as submit does, and started. Waits as start",
      "does.",
      "Instances of a template are restarted one after the other, in the order in which they are",
      "named: the next one once the one before runs. The first failure ends the command, and the",
      "rest stay as they are. With --no-block all are restarted at once.",
      "",
      "A global unit is restarted on one machine after the other, by the cluster: the next one",
      "follows once the unit has been active for two seconds on the one before. If it fails on",
      "one, the restart pauses, and the other machines keep what runs. It continues if this",
      "command is interrupted. \"fleetctl operations\" shows, pauses, resumes or cancels it."
    },
    exitCodeList = {
      "0:all units run again or ended without failure; with --no-block: accepted",
      "1:a unit is only submitted, could not be restarted, failed, or did not get there in time",
      "130:the wait was interrupted; the restart of a global unit goes on"
    },
    footer = {"fleetctl restart web.service", "fleetctl restart --max-unavailable=2 web@{1..9}"})
final class RestartCommand extends UnitsCommand {

  @Option(
      names = "--max-unavailable",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How many instances of a template, or machines of a global unit, are restarted at a"
              + " time; default 1.")
  int maxUnavailable;

  @Option(names = "--all-at-once", description = "Restart all units at the same time.")
  boolean allAtOnce;

  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  int run() throws CommandException {
    EvennessOptions.atLeastOne("--max-unavailable", maxUnavailable);
    Output output = output();
    FleetClient client = client();
    Templates.refuse(arguments(), "Error restarting units: ");
    CreateUnits creating = new CreateUnits(client, output);
    List<UnitPreparation> prepared =
        creating.prepare(arguments(), new CreateOptions(), List.of(), List.of());
    creating.put(prepared, "launched");
    try {
      Waits waits = new Waits(client, output, wait);
      return allAtOnce || wait.noBlock
          ? new StartUnits(client, output, waits).restart(prepared)
          : new RollingRestart(client, output, waits, maxUnavailable).run(prepared);
    } catch (FleetException e) {
      throw CommandException.failed("Error restarting units: " + e.getMessage());
    }
  }
}
