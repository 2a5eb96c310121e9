package fleet.fleetctl.command;

import fleet.entities.OperationEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.Ages;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.table.Comparators;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import fleet.fleetctl.wait.OperationWords;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists drains, rebalances and rollouts, and changes their course. */
@Command(
    name = "operations",
    header = "List drains, rebalances and rollouts; pause, resume, revert or cancel one",
    customSynopsis =
        "[list] [-a] [-o FORMAT] [--fields=LIST] [--sort=LIST] [-l|--full] [--no-legend] | show ID | pause ID | resume ID | revert ID | cancel ID",
    description = {
      "list (the default): operations under way, with who began each and when, how many units are",
      "left, and what it waits for. show: one operation, with the progress of each unit.",
      "pause: no further unit moves or gets the new version until resume. revert: the units of a",
      "rollout get their former version back. cancel: nothing more begins, and units stay where",
      "they are; a machine that was being drained is uncordoned.",
      "ID is an id from the list, or the beginning of one: rebalance, drain-113f, rollout-web@.",
      "Resuming the restart of a global unit, after a failure, goes on with the other machines.",
      "Use drain, rebalance, rollout, and restart of a global unit, to begin an operation.",
      "Fields: id, by, since, stage, left, waits-for, details."
    },
    exitCodeList = {
      "0:the operations were shown, or the operation was changed",
      "1:there is no such operation, it cannot be changed so, or fleetd could not be asked"
    },
    footer = {
      "fleetctl operations",
      "fleetctl operations show drain-113f",
      "fleetctl operations pause rollout-web@"
    })
final class OperationsCommand extends CommandGroup {

  @Option(
      names = {"-a", "--all"},
      description = "list: include finished operations, until others take their place.")
  boolean all;

  @Mixin ListingOptions look = new ListingOptions();

  @Override
  public int run(CommandEnvironment session) throws CommandException, FleetException {
    String action = action("list");
    if (!action.equals("list")) {
      look.refuseFor(action);
    }
    return switch (action) {
      case "list" -> {
        var _ = arguments(0, 0, "operations list");
        yield list(session, client(session));
      }
      case "show" -> {
        FleetClient client = client(session);
        yield OperationText.show(session.output(), client, id(action, client));
      }
      case "pause", "resume", "revert", "cancel" -> {
        FleetClient client = client(session);
        yield change(session.output(), client, id(action, client), action);
      }
      default -> throw unknown("list, show, pause, resume, revert or cancel");
    };
  }

  private int list(CommandEnvironment session, FleetClient client)
      throws CommandException, FleetException {
    ListingView view = look.view(session, listing(new MachineNames(List.of())));
    List<OperationEntity> shown =
        client.operations().list().stream()
            .filter(operation -> all || !OperationWords.isOver(operation))
            .toList();
    if (shown.isEmpty() && view.isTable()) {
      session.output().line(all ? "There is no operation." : "No operation is under way.");
      return ExitCode.OK;
    }
    MachineNames machines =
        new MachineNames(view.needs("waits-for") ? client.machines().list() : List.of());
    look.print(session.output(), view, listing(machines), shown);
    return ExitCode.OK;
  }

  private Listing<OperationEntity> listing(MachineNames machines) {
    Instant now = Instant.now();
    return new Listing<OperationEntity>()
        .with("id", operation -> shown(operation, look.full))
        .with("by", OperationEntity::by)
        .with(
            "since",
            operation -> Ages.since(operation.started(), now),
            Comparators.by(OperationEntity::started, Ages.order()))
        .with("stage", OperationsCommand::stage)
        .with("left", operation -> String.valueOf(operation.left()))
        .with("waits-for", operation -> machines.in(operation.waitsFor()))
        .with("details", OperationEntity::details)
        .usual("id,by,since,stage,left,waits-for")
        .named(OperationEntity::id)
        .entity(operation -> operation);
  }

  private static String shown(OperationEntity operation, boolean full) {
    String subject = operation.subject();
    return "drain".equals(operation.kind()) && !full
        ? "drain-" + MachineNames.shortId(subject)
        : operation.id();
  }

  private static String stage(OperationEntity operation) {
    return Boolean.TRUE.equals(operation.paused()) ? "paused" : operation.stage();
  }

  /** An unknown id is left to fleetd, which says what it does not know. */
  private String id(String action, FleetClient client) throws CommandException, FleetException {
    String given = arguments(1, 1, "operations " + action + " ID").getFirst();
    String beginning = given.endsWith("...") ? given.substring(0, given.length() - 3) : given;
    List<String> meant =
        client.operations().list().stream()
            .map(OperationEntity::id)
            .filter(id -> id.startsWith(beginning))
            .toList();
    if (meant.size() > 1 && !meant.contains(beginning)) {
      throw CommandException.failed(
          "Error: several operations have ids that begin with %s: %s"
              .formatted(beginning, String.join(", ", meant)));
    }
    return meant.size() == 1 ? meant.getFirst() : beginning;
  }

  private static int change(Output output, FleetClient client, String id, String action)
      throws FleetException {
    boolean changed = client.operations().change(id, action);
    String now =
        switch (action) {
          case "pause" -> changed ? "paused" : "already paused";
          case "resume" -> changed ? "resumed" : "not paused";
          case "revert" -> changed ? "being reverted" : "already being reverted";
          default -> changed ? "cancelled" : "already cancelled";
        };
    output.line("Operation " + id + " is " + now + ".");
    return ExitCode.OK;
  }
}
