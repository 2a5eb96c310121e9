package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.Parallel;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.GoneGoal;
import fleet.fleetctl.wait.WaitTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stops units and removes them from the cluster. */
@Command(
    name = "destroy",
    header = "Stop units and remove them from the cluster",
    customSynopsis = "[--block-attempts=N | --no-block] UNIT...",
    description = {
      "Waits until the process of each unit has ended on every machine. Units that do not exist",
      "are named on standard error, and are no failure."
    },
    exitCodeList = {
      "0:none of the units is in the cluster any more",
      "1:a unit could not be destroyed, its process did not end in time, or its machine is absent",
      "130:the wait was interrupted; the units will be destroyed"
    },
    footer = {"fleetctl destroy web.service", "fleetctl destroy --no-block web@1 web@2"})
final class DestroyCommand extends UnitsCommand {

  @Mixin WaitOptions wait = new WaitOptions();

  private sealed interface Asked {
    record Absent(String unit) implements Asked {}

    record Impossible(String why) implements Asked {}

    /** It was there, but could not be listed: its value in the registry is damaged. */
    record Unreadable(String unit) implements Asked {}

    /**
     * It was there.
     *
     * @param keptOn the machine that it stayed with though that was not there; may be empty
     */
    record Destroyed(String unit, String incarnation, String keptOn) implements Asked {}
  }

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    Output output = session.output();
    FleetClient client = client(session);
    List<WaitTarget> wishes = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    boolean whole = true;
    for (Asked asked : Parallel.map(names(session), name -> destroy(client, name))) {
      switch (asked) {
        case Asked.Absent none -> absent.add(none.unit());
        case Asked.Impossible impossible -> {
          output.problem(impossible.why());
          whole = false;
        }
        case Asked.Unreadable unreadable -> output.line("Destroyed " + unreadable.unit());
        case Asked.Destroyed destroyed ->
            wishes.add(
                new WaitTarget(
                    destroyed.unit(), new GoneGoal(destroyed.incarnation(), destroyed.keptOn())));
      }
    }
    if (!absent.isEmpty()) {
      output.problem("Units not found in registry: " + String.join(" ", absent));
    }
    boolean gone = new Waits(client, output, wait).all(wishes, "Destroyed %s");
    return gone && whole ? ExitCode.OK : ExitCode.FAILED;
  }

  private static Asked destroy(FleetClient client, String name) {
    try {
      Optional<UnitEntity> unit = client.unit(name);
      if (!client.destroy(name)) {
        return new Asked.Absent(name);
      }
      return unit.<Asked>map(known -> destroyed(name, known))
          .orElseGet(() -> new Asked.Unreadable(name));
    } catch (FleetException e) {
      return new Asked.Impossible("Error destroying units: " + name + ": " + e.getMessage());
    }
  }

  private static Asked destroyed(String name, UnitEntity unit) {
    return new Asked.Destroyed(name, unit.incarnation(), unit.keptOn());
  }
}
