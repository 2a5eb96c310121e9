package fleet.fleetctl.command;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitArgument;
import fleet.fleetctl.unit.UnitCreation;
import fleet.fleetctl.unit.UnitProblemException;
import fleet.fleetctl.wait.RolloutWords;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Rolls out a new version of units, a few at a time. */
@Command(
    name = "rollout",
    header = "Roll out a new version of units, a few at a time",
    customSynopsis = {
      "[--max-unavailable=N] [--healthy=TIME] [--canary=N] [--strict] [--block-attempts=N |"
          + " --no-block] UNIT",
      "undo [--to=REV] [--max-unavailable=N] [--healthy=TIME] [--canary=N] [--block-attempts=N |"
          + " --no-block] UNIT",
      "pause | resume | promote UNIT",
      "status [UNIT]"
    },
    description = {
      "Reads the unit file of UNIT, a template such as web@.service or a single unit, and gives",
      "it to all instances in the cluster, as many at a time as may be down. The next one follows",
      "once the one before has been active for some seconds without a restart by systemd. If one",
      "fails, or finds no place, all get their former version back. The template itself is",
      "replaced last. Waits until the rollout is over.",
      "",
      "With --canary=N it pauses once N instances are healthy with the new version, and the",
      "command ends. \"promote\" goes on with the others, \"undo\" reverts. \"pause\" begins no",
      "further change for now, \"resume\" goes on, \"status\" shows the progress, or lists"
          + " rollouts.",
      "",
      "\"undo --to=REV\" rolls out a former content of UNIT, by its number in \"fleetctl"
          + " history\".",
      "For an instance, its template and all instances get it.",
      "",
      "The rollout continues in the cluster if this command is interrupted, and if the leader",
      "changes. Run the command again with the same file to follow it. A rollout that is paused",
      "or is being reverted gives way to a new one, unless it is that of a global unit."
    },
    exitCodeList = {
      "0:all units, or the canaries, have the new version and are healthy; with --no-block: the"
          + " rollout has begun",
      "1:a unit was not healthy, and all were reverted; or fleetd could not be asked",
      "130:the wait was interrupted; the rollout continues"
    },
    footer = {
      "fleetctl rollout web@.service",
      "fleetctl rollout --canary=1 web@",
      "fleetctl rollout promote web@",
      "fleetctl rollout undo web@",
      "fleetctl rollout undo web@1 --to=3"
    })
final class RolloutCommand extends FleetCommand {

  @Parameters(paramLabel = "UNIT", arity = "0..*", hidden = true)
  List<String> units = List.of();

  @Mixin RolloutOptions limits = new RolloutOptions();

  @Option(
      names = "--canary",
      paramLabel = "N",
      description = "Pause after N healthy units, until somebody promotes or undoes it.")
  @Nullable Integer canaries;

  @Option(names = "--to", paramLabel = "REV", description = "undo: roll out this revision of UNIT.")
  @Nullable String to;

  @Option(names = "--pause", hidden = true)
  boolean pause;

  @Option(names = "--resume", hidden = true)
  boolean resume;

  @Option(names = "--back", hidden = true)
  boolean back;

  @Option(names = "--status", hidden = true)
  boolean status;

  /** A word alone, as it came after the flags. */
  private boolean promote;

  @Mixin StrictOptions checks = new StrictOptions();
  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  int run() throws CommandException, FleetException, UnitProblemException {
    limits.check();
    EvennessOptions.atLeastOne("--canary", canaries);
    takeWord();
    List<String> changes = changes();
    if (changes.size() > 1 || (status && !changes.isEmpty())) {
      throw CommandException.usage("Error: name one of pause, resume, undo, promote and status");
    }
    if (to != null && !back) {
      throw CommandException.usage("Error: --to is for undo: fleetctl rollout undo --to=REV UNIT");
    }
    FleetClient client = client();
    if (status && units.isEmpty()) {
      return OperationText.list(output(), client, "rollout");
    }
    if (units.size() != 1) {
      throw CommandException.usage("Error: name one template, or one unit");
    }
    UnitArgument argument = UnitArgument.of(units.getFirst(), session().directory());
    if (to != null) {
      UnitHistory history = UnitHistory.of(client, argument.name());
      return begin(
          output(), client, family(argument.name()), history.content(history.revision(to)));
    }
    refuseInstance(argument.name());
    if (status) {
      return OperationText.show(output(), client, new RolloutWords(argument.name()).id());
    }
    if (!changes.isEmpty()) {
      return change(output(), client, argument.name(), changes.getFirst());
    }
    UnitFile file =
        new UnitCreation(client, output(), checks.strict, true, List.of(), List.of())
            .wanted(argument)
            .file();
    return begin(output(), client, argument.name(), file);
  }

  /** The template of an instance, as a rollout is of all instances. */
  private static String family(String name) throws CommandException {
    try {
      return UnitName.of(name).template().map(UnitName::value).orElse(name);
    } catch (InvalidUnitNameException e) {
      throw CommandException.failed("Error: \"" + name + "\": " + e.getMessage());
    }
  }

  /** The first of several words says what to do; a unit of such a name is written with its type. */
  private void takeWord() {
    String word = units.isEmpty() ? "" : units.getFirst();
    if (units.size() < 2 && !word.equals("status")) {
      return;
    }
    switch (word) {
      case "status" -> status = true;
      case "pause" -> pause = true;
      case "resume" -> resume = true;
      case "undo" -> back = true;
      case "promote" -> promote = true;
      default -> {
        return;
      }
    }
    units = units.subList(1, units.size());
  }

  private static void refuseInstance(String name) throws CommandException {
    String template = family(name);
    if (!template.equals(name)) {
      throw CommandException.usage(
          "Error: %s is an instance: roll out its template, %s, or replace it alone with"
                  .formatted(name, template)
              + " \"fleetctl start --replace\"");
    }
  }

  private List<String> changes() {
    return Stream.of(
            pause ? "pause" : "",
            resume ? "resume" : "",
            back ? "revert" : "",
            promote ? "promote" : "")
        .filter(change -> !change.isEmpty())
        .toList();
  }

  private int begin(Output output, FleetClient client, String name, UnitFile file)
      throws CommandException, FleetException {
    return new FollowedRollout(client, output, new Waits(client, output, wait))
            .run(name, limits.request(file, canaries, List.of()))
        ? ExitCode.OK
        : ExitCode.FAILED;
  }

  private static int change(Output output, FleetClient client, String name, String change)
      throws CommandException, FleetException {
    boolean changed;
    try {
      changed = client.operations().change(new RolloutWords(name).id(), change);
    } catch (ApiException e) {
      if (!e.isNotFound()) {
        throw e;
      }
      String none = "Error: no rollout of " + name + " is under way";
      String undo =
          ": go back to a former content with --to, see \"fleetctl history " + name + "\"";
      throw CommandException.failed(change.equals("revert") ? none + undo : none);
    }
    String now =
        switch (change) {
          case "pause" -> changed ? "is paused" : "is already paused";
          case "resume" -> changed ? "is resumed" : "is not paused";
          case "promote" -> changed ? "is promoted" : "is already going on to all units";
          default -> changed ? "is being reverted" : "is already being reverted";
        };
    output.line("Rollout of " + name + " " + now + ".");
    return ExitCode.OK;
  }
}
