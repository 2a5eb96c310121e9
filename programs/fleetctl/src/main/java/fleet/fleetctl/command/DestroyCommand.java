package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.Parallel;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.GoneGoal;
import fleet.fleetctl.wait.WaitTarget;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Stops units and removes them from the cluster. */
@Command(
    name = "destroy",
    header = "Stop units and remove them from the cluster",
    customSynopsis = "[--block-attempts=N | --no-block] [--yes] UNIT...",
    description = {
      "Waits until the process of each unit has ended on every machine. A machine that is away for",
      "a moment or in maintenance is waited for. Units that do not exist are named on standard",
      "error, and are no failure. UNIT may be a pattern in quotes: 'web@*'. For a pattern, and for",
      "more than ten units, a terminal is asked first; without a terminal nothing is destroyed",
      "unless --yes is given."
    },
    exitCodeList = {
      "0:none of the units is in the cluster any more",
      "1:a unit could not be destroyed, its process did not end in time, or its machine stays away;\nor nobody confirmed",
      "130:the wait was interrupted; the units will be destroyed"
    },
    footer = {
      "fleetctl destroy web.service",
      "fleetctl destroy --no-block web@1 web@2",
      "fleetctl destroy --yes 'web@*'"
    })
final class DestroyCommand extends UnitsCommand {

  /** Scripts of fleet 1.0 destroy a few units at once, and expect no question. */
  private static final int FEW = 10;

  @Mixin WaitOptions wait = new WaitOptions();

  @Option(names = "--yes", description = "Ask nothing.")
  boolean yes;

  private sealed interface Asked {
    record Absent(String unit) implements Asked {}

    record Impossible(String why) implements Asked {}

    /** It was there, but could not be listed: its value in the registry is damaged. */
    record Unreadable(String unit) implements Asked {}

    /** It was there. */
    record Destroyed(WaitTarget target) implements Asked {}
  }

  @Override
  public int run(CommandEnvironment session) throws CommandException, FleetException {
    FleetClient client = client(session);
    Chosen chosen = chosen(session, client);
    List<String> names = chosen.names();
    if (!yes && (names.size() > FEW || (!names.isEmpty() && !patterns().isEmpty()))) {
      expectMeant(session, names);
    }
    return destroy(session.output(), client, chosen);
  }

  private static void expectMeant(CommandEnvironment session, List<String> names)
      throws CommandException {
    String count = names.size() == 1 ? "1 unit" : names.size() + " units";
    InputStream keyboard =
        session
            .keyboard()
            .orElseThrow(() ->
                CommandException.failed(
                    "Error: this would destroy " + count + ": add --yes if that is meant"));
    names.stream().limit(FEW).forEach(session.output()::problem);
    if (names.size() > FEW) {
      session.output().problem("and %d more".formatted(names.size() - FEW));
    }
    String question = "Destroy " + count + "? Type the number: ";
    if (!Confirmation.isGiven(session, keyboard, question, names.size() + "")) {
      throw CommandException.failed("Nothing was destroyed.");
    }
  }

  private int destroy(Output output, FleetClient client, Chosen chosen) {
    List<WaitTarget> targets = new ArrayList<>();
    List<String> absent = new ArrayList<>(chosen.unmatched());
    boolean whole = true;
    for (Asked asked : Parallel.map(chosen.names(), name -> destroy(client, name))) {
      switch (asked) {
        case Asked.Absent none -> absent.add(none.unit());
        case Asked.Impossible impossible -> {
          output.problem(impossible.why());
          whole = false;
        }
        case Asked.Unreadable unreadable -> output.line("Destroyed " + unreadable.unit());
        case Asked.Destroyed destroyed -> targets.add(destroyed.target());
      }
    }
    if (!absent.isEmpty()) {
      output.problem("Units not found in registry: " + String.join(" ", absent));
    }
    boolean gone = new Waits(client, output, wait).all(targets, "Destroyed %s");
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
    return new Asked.Destroyed(new WaitTarget(name, GoneGoal.of(unit)));
  }
}
