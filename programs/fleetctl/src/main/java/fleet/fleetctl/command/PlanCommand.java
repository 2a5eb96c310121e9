package fleet.fleetctl.command;

import fleet.entities.EntityJson;
import fleet.entities.IntentEntity;
import fleet.entities.PlanEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineSelector;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.unit.UnitArgument;
import fleet.fleetctl.unit.UnitPreparation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a command would do, without doing it. */
@Command(
    name = "plan",
    header = "Show what a command would do, without doing it (dry run)",
    customSynopsis = {
      "[-o FORMAT] [-l|--full] [--replace] [--strict] [--require=OPTION=VALUE]... start UNIT|DIRECTORY|-...",
      "fleetctl plan [-o FORMAT] [-l|--full] stop|destroy UNIT...",
      "fleetctl plan [-o FORMAT] [-l|--full] [--max-unavailable=N] drain MACHINE",
      "fleetctl plan [-o FORMAT] [-l|--full] lose-machine MACHINE",
      "fleetctl plan [-o FORMAT] [-l|--full] [--within=N] [--moves=N] [--max-unavailable=N] rebalance"
    },
    description = {
      "The engine decides on a copy of the cluster. Prints which units would come, go, move,",
      "start or stop, where and why, and which would find no place. lose-machine: the machine is",
      "gone for good. rebalance: the same as \"fleetctl rebalance --plan\".",
      "The plan assumes that operations under way have finished, and that machines start every",
      "unit. Units that are already launched are not started again. MACHINE is a hostname, an address,",
      "an id or the beginning of an id."
    },
    exitCodeList = {
      "0:nothing would change",
      "1:there is no plan: a unit or machine does not exist, or fleetd could not be asked",
      "3:units would come, go, move, start, stop, lose their place or be gone"
    },
    footer = {
      "fleetctl plan start web@1 web@2",
      "fleetctl plan start --require Memory=1G web.service",
      "fleetctl plan drain node1",
      "fleetctl plan --json lose-machine node1"
    })
final class PlanCommand extends FleetCommand {

  @Parameters(arity = "0..*", hidden = true)
  List<String> words = List.of();

  @Mixin CreateOptions create = new CreateOptions();
  @Mixin InputOptions input = new InputOptions();
  @Mixin RequireOptions extra = new RequireOptions();

  @Option(
      names = "--max-unavailable",
      paramLabel = "N",
      defaultValue = "1",
      description = "drain, rebalance: how many instances of a template may be down at a time.")
  int maxUnavailable;

  @Mixin EvennessOptions even = new EvennessOptions();

  @Mixin JsonOptions form = new JsonOptions();

  @Option(
      names = {"-l", "--full"},
      description = "Do not shorten the ids of machines.")
  boolean full;

  @Override
  int run() throws CommandException, FleetException {
    if (words.isEmpty()) {
      throw CommandException.usage(
          "Error: nothing to plan: expect start, stop, destroy, drain, lose-machine or rebalance");
    }
    EvennessOptions.atLeastOne("--max-unavailable", maxUnavailable);
    String action = words.getFirst();
    List<String> given = words.subList(1, words.size());
    if (!extra.checked().isEmpty() && !action.equals("start")) {
      throw CommandException.usage("Error: --require goes with start");
    }
    even.check();
    if (even.isGiven() && !action.equals("rebalance")) {
      throw CommandException.usage("Error: --within and --moves go with rebalance");
    }
    FleetClient client = client();
    PlanEntity plan =
        client.plan(
            switch (action) {
              case "start" -> start(client, given);
              case "stop" -> stop(client, given);
              case "destroy" -> destroy(client, given);
              case "drain" -> IntentEntity.drain(machine(client, given), maxUnavailable);
              case "lose-machine" -> IntentEntity.lose(machine(client, given));
              case "rebalance" -> rebalance(given);
              default ->
                  throw CommandException.usage(
                      "Error: \""
                          + action
                          + "\" cannot be planned: expect start, stop, destroy, drain,"
                          + " lose-machine or rebalance");
            });
    if (form.isJson()) {
      output().line(new EntityJson().text(plan));
    } else {
      new PlanText(output(), client, full).tell(plan, gone(action, given));
    }
    return !action.equals("destroy")
            && plan.changes().stream().allMatch(change -> "stays".equals(change.change()))
        ? ExitCode.OK
        : ExitCode.CHANGES;
  }

  /** Those that are to be destroyed exist: see {@link #existing}. */
  private List<String> gone(String action, List<String> given) throws CommandException {
    return action.equals("destroy")
        ? UnitsCommand.arguments(session(), given).stream().map(UnitArgument::name).toList()
        : List.of();
  }

  // ---- what is asked for

  private IntentEntity start(FleetClient client, List<String> given) throws CommandException {
    List<UnitArgument> arguments = UnitsCommand.files(session(), given, input, CreateUnits.FAILED);
    List<UnitArgument> _ = Templates.takeFrom(arguments);
    Templates.refuse(arguments, "Error starting units: ");
    List<UnitEntity> wanted = new ArrayList<>();
    TriggeredUnits.Prepared prepared =
        new CreateUnits(client, output())
            .prepareWithTriggered(arguments, create, StartCommand.REPLACEABLE, extra.require, true);
    prepared.triggered().forEach(one -> wanted.add(wanted(one, "loaded")));
    prepared.named().forEach(one -> wanted.add(wanted(one, "launched")));
    return IntentEntity.put(wanted);
  }

  private static UnitEntity wanted(UnitPreparation one, String desired) {
    UnitEntity unit =
        one.toPut().isPresent()
            ? UnitReader.creating(one.name(), one.toPut().get(), desired)
            : UnitReader.desiring(one.name(), desired);
    return unit.withRequire(one.asked());
  }

  private IntentEntity stop(FleetClient client, List<String> given)
      throws CommandException, FleetException {
    List<UnitEntity> wanted = new ArrayList<>();
    for (UnitEntity unit : existing(client, given)) {
      if (unit.desiredState().equals("inactive")) {
        throw CommandException.failed("Unable to stop unit " + unit.name() + " in state inactive");
      }
      wanted.add(UnitReader.desiring(unit.name(), "loaded"));
    }
    return IntentEntity.put(wanted);
  }

  private IntentEntity destroy(FleetClient client, List<String> given)
      throws CommandException, FleetException {
    return IntentEntity.destroy(existing(client, given).stream().map(UnitEntity::name).toList());
  }

  private List<UnitEntity> existing(FleetClient client, List<String> given)
      throws CommandException, FleetException {
    List<UnitEntity> units = new ArrayList<>();
    for (UnitArgument argument : UnitsCommand.arguments(session(), given)) {
      Optional<UnitEntity> unit = client.unit(argument.name());
      if (unit.isEmpty()) {
        throw CommandException.failed("Unit " + argument.name() + " not found in registry");
      }
      units.add(unit.get());
    }
    return units;
  }

  private IntentEntity rebalance(List<String> given) throws CommandException {
    if (!given.isEmpty()) {
      throw CommandException.usage("Error: a rebalance is of all machines: expect none");
    }
    return IntentEntity.rebalance(even.wish(), maxUnavailable);
  }

  private static String machine(FleetClient client, List<String> given)
      throws CommandException, FleetException {
    if (given.size() != 1) {
      throw CommandException.usage("Error: expect one machine");
    }
    return MachineSelector.of(client).id(given.getFirst());
  }
}
