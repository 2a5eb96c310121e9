package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.Parallel;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitArgument;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.wait.LoadedGoal;
import fleet.fleetctl.wait.WaitTarget;
import java.util.ArrayList;
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
      "refused."
    },
    exitCodeList = {
      "0:all units are loaded; with --no-block: they were told to load",
      "1:a unit could not be created or loaded, or not in time",
      "130:the wait was interrupted; the units stay scheduled"
    },
    footer = {"fleetctl load web.service", "fleetctl load --block-attempts=5 web@1 web@2"})
final class LoadCommand extends UnitsCommand {

  @Mixin CreateOptions create = new CreateOptions();
  @Mixin InputOptions input = new InputOptions();
  @Mixin RequireOptions extra = new RequireOptions();
  @Mixin WaitOptions wait = new WaitOptions();

  private enum Asked {
    NOTHING,
    LOADING,
    LAUNCHED
  }

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
    List<UnitPreparation> prepared =
        creating.prepare(arguments, create, List.of("inactive", "loaded"), require);
    creating.put(submitted, "inactive", List.of());
    creating.put(prepared, "loaded", require);
    List<Asked> asked = ask(client, prepared, require);
    List<WaitTarget> wishes = new ArrayList<>();
    Waits waits = new Waits(client, output, wait);
    for (int i = 0; i < prepared.size(); i++) {
      tell(prepared.get(i), asked.get(i), output, waits, wishes);
    }
    output.flush();
    return waits.all(wishes, "Triggered unit %s load") ? ExitCode.OK : ExitCode.FAILED;
  }

  private static List<Asked> ask(
      FleetClient client, List<UnitPreparation> prepared, List<String> require)
      throws CommandException {
    try {
      List<Asked> asked = Parallel.map(prepared, preparation -> ask(client, preparation, require));
      RequireOptions.verify(client, prepared, require);
      return asked;
    } catch (FleetException e) {
      throw CommandException.failed("Error loading units: " + e.getMessage());
    }
  }

  private static Asked ask(FleetClient client, UnitPreparation preparation, List<String> require)
      throws FleetException {
    if (preparation.toPut().isPresent()) {
      return Asked.LOADING;
    }
    UnitEntity unit = preparation.existing().orElseThrow();
    String desired = unit.desiredState();
    boolean hasPlace = desired.equals("loaded") || desired.equals("launched");
    if (!hasPlace || !require.isEmpty()) {
      String wanted = hasPlace ? desired : "loaded";
      client.put(UnitReader.desiring(preparation.name(), wanted).withRequire(require));
    }
    return switch (desired) {
      case "loaded" -> Asked.NOTHING;
      case "launched" -> Asked.LAUNCHED;
      default -> Asked.LOADING;
    };
  }

  private void tell(
      UnitPreparation preparation,
      Asked asked,
      Output output,
      Waits waits,
      List<WaitTarget> wishes) {
    String name = preparation.name();
    switch (asked) {
      case NOTHING -> {}
      case LAUNCHED ->
          output.problem("Unit " + name + " is launched and stays so; see: fleetctl stop");
      case LOADING -> {
        if (isGlobal(preparation)) {
          output.line("Triggered global unit " + name + " load");
          wishes.addAll(waits.everywhere(name, new LoadedGoal(), "loaded"));
        } else if (wait.noBlock) {
          output.line("Triggered unit " + name + " load");
        } else {
          wishes.add(new WaitTarget(name, new LoadedGoal()));
        }
      }
    }
  }

  private static boolean isGlobal(UnitPreparation preparation) {
    return preparation
        .toPut()
        .map(file -> UnitReader.isGlobal(UnitReader.creating(preparation.name(), file, "loaded")))
        .orElseGet(() -> UnitReader.isGlobal(preparation.existing().orElseThrow()));
  }
}
