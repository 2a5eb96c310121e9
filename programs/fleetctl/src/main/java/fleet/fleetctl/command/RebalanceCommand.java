package fleet.fleetctl.command;

import fleet.entities.IntentEntity;
import fleet.entities.OperationEntity;
import fleet.entities.PlanEntity;
import fleet.entities.StepEntity;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.OperationMonitor;
import fleet.fleetctl.wait.OperationWords;
import fleet.fleetctl.wait.RebalanceWords;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves units from fuller machines to emptier ones. */
@Command(
    name = "rebalance",
    header = "Move units from fuller machines to emptier ones",
    customSynopsis = {
      "--plan [-l|--full] [--within=N] [--moves=N] [--max-unavailable=N]",
      "fleetctl rebalance [--within=N] [--moves=N] [--max-unavailable=N] [--block-attempts=N | --no-block]",
      "fleetctl rebalance --stop"
    },
    description = {
      "Moves as few units as bring the fullest and the emptiest machine within a bound, for",
      "example after a machine has joined. Cordoned machines do not count. A unit goes only to a",
      "machine that its rules admit, and that suits it as well as its own. It is stopped here",
      "before it starts there. Of the instances of a template, the next one leaves once the one",
      "before is active again. Global units, units that other units depend on for their place,",
      "and units that do not run as they should stay. Prints what moves, waits until all of it is",
      "active, and says which units stay and why.",
      "",
      "The rebalance continues in the cluster if this command is interrupted, and if the leader",
      "changes. Run the command again to follow it. Only one rebalance runs at a time."
    },
    exitCodeList = {
      "0:all units that were to move are active on their new machines; with --no-block: accepted;"
          + "\nwith --plan: nothing would move; with --stop: no rebalance is under way",
      "1:a unit stayed or failed on its new machine, or the rebalance was refused;"
          + "\nor fleetd could not be asked",
      "3:with --plan: units would move",
      "130:the wait was interrupted; the rebalance continues"
    },
    footer = {
      "fleetctl rebalance --plan",
      "fleetctl rebalance --moves=5",
      "fleetctl rebalance --within=3 --max-unavailable=2"
    })
final class RebalanceCommand extends FleetCommand {

  private static final RebalanceWords WORDS = new RebalanceWords();

  @Parameters(arity = "0..*", hidden = true)
  List<String> words = List.of();

  @Option(
      names = "--plan",
      description = "Show what would move and why, without moving it (dry run).")
  boolean plan;

  @Option(
      names = "--stop",
      description = "Stop the rebalance; units that have left still go to their places.")
  boolean stop;

  @Mixin EvennessOptions even = new EvennessOptions();

  @Option(
      names = "--max-unavailable",
      paramLabel = "N",
      description =
          "How many instances of a template may be down at a time, on all machines; default 1.")
  @Nullable Integer maxUnavailable;

  @Option(
      names = {"-l", "--full"},
      description = "Do not shorten the ids of machines.")
  boolean full;

  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  int run() throws CommandException, FleetException {
    even.check();
    EvennessOptions.atLeastOne("--max-unavailable", maxUnavailable);
    if (!words.isEmpty()) {
      throw CommandException.usage(
          "Error: a rebalance is of all machines: expect none, not \"" + words.getFirst() + "\"");
    }
    if (stop && (plan || isDescribed())) {
      throw CommandException.usage("Error: --stop goes with no other option");
    }
    FleetClient client = client();
    if (stop) {
      return stop(client, output());
    }
    return plan ? plan(client, output()) : rebalance(client, output());
  }

  private boolean isDescribed() {
    return even.isGiven() || maxUnavailable != null;
  }

  private int most() {
    return Objects.requireNonNullElse(maxUnavailable, 1);
  }

  private static int stop(FleetClient client, Output output) throws FleetException {
    boolean stopped;
    try {
      stopped = client.operations().change(WORDS.id(), "cancel");
    } catch (ApiException e) {
      if (!e.isNotFound()) {
        throw e;
      }
      stopped = false;
    }
    output.line(
        stopped
            ? "The rebalance is stopped: units that have left still go to their places."
            : "No rebalance is under way.");
    return ExitCode.OK;
  }

  private int plan(FleetClient client, Output output) throws FleetException {
    PlanEntity planned = client.plan(IntentEntity.rebalance(even.wish(), most()));
    new PlanText(output, client, full).tell(planned, List.of());
    return planned.changes().stream().allMatch(change -> change.change().equals("stays"))
        ? ExitCode.OK
        : ExitCode.CHANGES;
  }

  private int rebalance(FleetClient client, Output output) throws FleetException {
    Optional<OperationEntity> other = isDescribed() ? Optional.empty() : underWay(client);
    if (other.isPresent()) {
      output.line("A rebalance that " + other.get().by() + " asked for is already under way.");
    } else {
      OperationEntity begun =
          client.operations().startRebalance(even.bound(), even.budget(), most());
      if (begun.id().isEmpty()) {
        output.line("Nothing moves: " + begun.reason() + ".");
        return ExitCode.OK;
      }
      tell(begun, client, output);
    }
    if (wait.noBlock) {
      return ExitCode.OK;
    }
    return new OperationMonitor(client, output, WORDS, full, other.isEmpty(), wait.blockAttempts)
            .follow()
        ? ExitCode.OK
        : ExitCode.FAILED;
  }

  private static Optional<OperationEntity> underWay(FleetClient client) throws FleetException {
    return client.operations().find(WORDS.id()).filter(last -> !OperationWords.isOver(last));
  }

  private void tell(OperationEntity begun, FleetClient client, Output output)
      throws FleetException {
    MachineNames machines = new MachineNames(client.machines().list(), output.isTerminal());
    List<StepEntity> units = begun.steps();
    for (StepEntity unit : units) {
      output.line(
          "Unit %s will move from %s to %s"
              .formatted(
                  unit.unit(), machines.of(unit.from(), full), machines.of(unit.to(), full)));
    }
    String rest = begun.reason();
    output.line(
        (units.size() == 1 ? "1 unit will move" : units.size() + " units will move")
            + (rest.isEmpty() ? "." : ", which does not reach the bound: " + rest + "."));
    output.flush();
  }
}
