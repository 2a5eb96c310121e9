package fleet.fleetctl.command;

import fleet.entities.IntentEntity;
import fleet.entities.OperationEntity;
import fleet.entities.PlanEntity;
import fleet.entities.PlannedChangeEntity;
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

/** Evens out how many units machines have. */
@Command(
    name = "rebalance",
    header = "Move units from machines that have many to machines that have few",
    customSynopsis = {
      "--plan [-l|--full] [--within=N] [--moves=N] [--max-unavailable=N]",
      "fleetctl rebalance [--within=N] [--moves=N] [--max-unavailable=N] [--block-attempts=N | --no-block]",
      "fleetctl rebalance --stop"
    },
    description = {
      "As after a machine has joined: has the fewest units move that bring the fullest and the emptiest",
      "machine within a bound. Cordoned machines do not count. A unit goes only where its rules admit",
      "it and where it likes to be as much; it is stopped where it is before it starts there, and of the",
      "instances of a template the next one leaves once the one before is active again. Global units,",
      "units that others have to be with, and units that are not running as they should stay. Says what",
      "moves, waits until all of it is active, and says what stays and why.",
      "",
      "It goes on in the cluster, whoever leads it: also when this command is interrupted. Run it",
      "again to follow. There is one at a time."
    },
    exitCodeList = {
      "0:all units that were to move are active where they went, or are to move (--no-block); with"
          + "\n--plan: nothing would move; with --stop: none goes on any more",
      "1:a unit stayed, or failed where it went; or it cannot be done; or fleetd could not be asked",
      "3:with --plan: units would move",
      "130:the wait was interrupted; the rebalance goes on"
    },
    footer = {
      "fleetctl rebalance --plan",
      "fleetctl rebalance --moves=5",
      "fleetctl rebalance --within=3 --max-unavailable=2"
    })
final class RebalanceCommand extends FleetCommand {

  private static final RebalanceWords WORDS = new RebalanceWords();
  private static final int NOT_FOUND = 404;

  @Parameters(arity = "0..*", hidden = true)
  List<String> words = List.of();

  @Option(names = "--plan", description = "Say what would move and why, and change nothing.")
  boolean plan;

  @Option(
      names = "--stop",
      description = "Let no more units begin to move; those that have left go on to their places.")
  boolean stop;

  @Mixin EvennessOptions even = new EvennessOptions();

  @Option(
      names = "--max-unavailable",
      paramLabel = "N",
      description = "How many instances of a template may be down at a time, wherever they are; 1.")
  @Nullable Integer maxUnavailable;

  @Option(
      names = {"-l", "--full"},
      description = "Do not shorten the ids of machines.")
  boolean full;

  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  public int run(Session session) throws CommandException, FleetException {
    even.check();
    EvennessOptions.atLeastOne("--max-unavailable", maxUnavailable);
    if (!words.isEmpty()) {
      throw CommandException.usage(
          "Error: a rebalance is of all machines: expect none, not \"" + words.getFirst() + "\"");
    }
    if (stop && (plan || isDescribed())) {
      throw CommandException.usage("Error: --stop goes with no other option");
    }
    FleetClient client = client(session);
    if (stop) {
      return stop(client, session.output());
    }
    return plan ? plan(client, session.output()) : rebalance(client, session.output());
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
      if (e.code() != NOT_FOUND) {
        throw e;
      }
      stopped = false;
    }
    output.line(
        stopped
            ? "The rebalance is stopped: units that have left go on to their places."
            : "No rebalance goes on.");
    return ExitCode.OK;
  }

  private int plan(FleetClient client, Output output) throws FleetException {
    PlanEntity planned = client.plan(IntentEntity.rebalance(even.wish(), most()));
    new PlanText(output, client, full).tell(planned);
    List<PlannedChangeEntity> changes = Objects.requireNonNullElse(planned.changes(), List.of());
    return changes.stream().allMatch(change -> "stays".equals(change.change()))
        ? ExitCode.OK
        : ExitCode.CHANGES;
  }

  private int rebalance(FleetClient client, Output output) throws FleetException {
    Optional<OperationEntity> other = isDescribed() ? Optional.empty() : underWay(client);
    if (other.isPresent()) {
      output.line(
          "A rebalance that "
              + Objects.requireNonNullElse(other.get().by(), "somebody")
              + " asked for is under way already.");
    } else {
      OperationEntity begun =
          client.operations().startRebalance(even.bound(), even.budget(), most());
      if (begun.id().isEmpty()) {
        output.line("Nothing is to move: " + begun.reason() + ".");
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
    MachineNames machines = new MachineNames(client.machines().list());
    List<StepEntity> units = begun.steps();
    for (StepEntity unit : units) {
      output.line(
          "Unit %s is to move from %s to %s"
              .formatted(
                  unit.unit(), machines.of(unit.from(), full), machines.of(unit.to(), full)));
    }
    String rest = begun.reason();
    output.line(
        (units.size() == 1 ? "1 unit is to move" : units.size() + " units are to move")
            + (rest.isEmpty() ? "." : ", which does not do all: " + rest + "."));
    output.flush();
  }
}
