package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitArgument;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.wait.WaitTarget;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts units and waits until they run. */
@Command(
    name = "start",
    header = "Start units and wait until they run",
    customSynopsis =
        "[--block-attempts=N | --no-block] [--replace [--all-at-once]] [--strict] [--require=OPTION=VALUE]... [--name=UNIT] UNIT|DIRECTORY|-...",
    description = {
      "Creates units that the cluster does not have, as submit does, and starts them. Waits until",
      "systemd reports each as active, or as ended without a failure, however long that takes;",
      "Ctrl-C ends only the wait. Units that already run are left alone; launched units that have",
      "ended are started again. A global unit is waited for on every machine that is present and",
      "has to run it. --replace changes a launched global unit on one machine after the other, and",
      "back if it fails on one; --all-at-once on all of them.",
      "DIRECTORY and - mean the unit files in a directory and in standard input, as for submit.",
      "Templates among them are uploaded, and not started.",
      "--require adds requirements to those in the unit's file. They are kept until the unit is",
      "unloaded or destroyed. A unit that is loaded or launched with other requirements is",
      "refused.",
      "A timer, socket or path brings the unit that it starts: that one is loaded, from the",
      "cluster or from a file beside the given one, and both are kept on one machine."
    },
    exitCodeList = {
      "0:all units run or ended without failure; with --no-block: accepted",
      "1:a unit could not be created or started, failed, or did not get there in time",
      "130:the wait was interrupted; the units stay scheduled"
    },
    footer = {
      "fleetctl start web.service",
      "fleetctl start web@1 web@2",
      "fleetctl start *.service",
      "fleetctl start shop/",
      "fleetctl start --require MachineMetadata=region=eu --require Memory=1G web.service"
    })
final class StartCommand extends UnitsCommand {

  static final List<String> REPLACEABLE = List.of("inactive", "loaded", "launched");

  @Option(
      names = "--all-at-once",
      description = "Replace a global unit on all machines at the same time.")
  boolean allAtOnce;

  @Mixin CreateOptions create = new CreateOptions();
  @Mixin InputOptions input = new InputOptions();
  @Mixin RequireOptions extra = new RequireOptions();
  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  int run() throws CommandException {
    Output output = output();
    FleetClient client = client();
    List<String> require = extra.checked();
    List<UnitArgument> arguments = files(session(), units, input, CreateUnits.FAILED);
    List<UnitArgument> templates = Templates.takeFrom(arguments);
    Templates.refuse(arguments, "Error starting units: ");
    CreateUnits creating = new CreateUnits(client, output);
    List<UnitPreparation> submitted =
        creating.prepare(templates, create, List.of("inactive"), List.of());
    TriggeredUnits.Prepared all =
        creating.prepareWithTriggered(arguments, create, REPLACEABLE, require, true);
    List<UnitPreparation> prepared = new ArrayList<>(all.named());
    List<UnitPreparation> rolled =
        allAtOnce || !require.isEmpty() ? List.of() : FollowedRollout.takeGlobal(prepared);
    all.tell(output);
    creating.put(submitted, "inactive");
    creating.put(all.triggered(), "loaded");
    creating.put(prepared, "launched");
    Waits waits = new Waits(client, output, wait);
    try {
      List<WaitTarget> loading = new LoadUnits(client, output, waits).load(all.triggered());
      int code = new StartUnits(client, output, waits).start(prepared, loading);
      boolean whole = new FollowedRollout(client, output, waits).replace(rolled);
      return whole ? code : ExitCode.FAILED;
    } catch (FleetException e) {
      throw CommandException.failed("Error starting units: " + e.getMessage());
    }
  }
}
