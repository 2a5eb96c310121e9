package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitArgument;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.wait.WaitTarget;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Places units on machines without starting them. */
@Command(
    name = "load",
    header = "Schedule units on machines without starting them",
    customSynopsis =
        "[--block-attempts=N | --no-block] [--replace] [--strict] [--require=OPTION=VALUE]... [--name=UNIT] UNIT|DIRECTORY|-...",
    description = {
      "Creates units that the cluster does not have, as submit does, and places them. Launched",
      "units are left running: stop brings them to loaded.",
      "DIRECTORY and - mean the unit files in a directory and in standard input, as for submit.",
      "Templates among them are uploaded, not placed.",
      "--require adds requirements to those in the unit's file. They are kept until the unit is",
      "unloaded or destroyed. A unit that is loaded or launched with other requirements is",
      "refused.",
      "A timer, socket or path brings the unit that it starts: that one is loaded too, from the",
      "cluster or from a file beside the given one, and both are kept on one machine."
    },
    exitCodeList = {
      "0:all units are loaded; with --no-block: accepted",
      "1:a unit could not be created or loaded, or not in time",
      "130:the wait was interrupted; the units stay scheduled"
    },
    footer = {"fleetctl load web.service", "fleetctl load --block-attempts=5 web@1 web@2"})
final class LoadCommand extends UnitsCommand {

  @Mixin CreateOptions create = new CreateOptions();
  @Mixin InputOptions input = new InputOptions();
  @Mixin RequireOptions extra = new RequireOptions();
  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    Output output = session.output();
    FleetClient client = client(session);
    CreateUnits creating = new CreateUnits(client, output);
    List<String> require = extra.checked();
    List<UnitArgument> arguments = files(session, units, input, CreateUnits.FAILED);
    List<UnitArgument> templates = Templates.takeFrom(arguments);
    Templates.refuse(arguments, "Error loading units: ");
    List<UnitPreparation> submitted =
        creating.prepare(templates, create, List.of("inactive"), List.of());
    TriggeredUnits.Prepared prepared =
        creating.prepareWithTriggered(
            arguments, create, List.of("inactive", "loaded"), require, false);
    prepared.tell(output);
    creating.put(submitted, "inactive");
    creating.put(prepared.all(), "loaded");
    Waits waits = new Waits(client, output, wait);
    try {
      List<WaitTarget> targets = new LoadUnits(client, output, waits).load(prepared.all());
      return waits.all(targets, "Triggered unit %s load") ? ExitCode.OK : ExitCode.FAILED;
    } catch (FleetException e) {
      throw CommandException.failed("Error loading units: " + e.getMessage());
    }
  }
}
