package fleet.fleetctl.command;

import fleet.core.requirements.Glob;
import fleet.core.state.DesiredState;
import fleet.core.unit.SetName;
import fleet.core.unit.UnitName;
import fleet.entities.UnitEntity;
import fleet.fleetctl.apply.ApplyPlan;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.unit.UnitArgument;
import fleet.fleetctl.unit.UnitCreation;
import fleet.fleetctl.unit.UnitProblemException;
import fleet.fleetctl.unit.WantedUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes the cluster match unit files. */
@Command(
    name = "apply",
    header = "Make the cluster match unit files",
    customSynopsis = "[OPTIONS] FILE|DIRECTORY|-...",
    description = {
      "Creates the units of the files that the cluster does not have, gives others their content",
      "and state, and waits for each. Shows first what would change, as a diff, and asks on a",
      "terminal; elsewhere it takes --yes. Nothing is done to other units, unless --prune is given.",
      "A second run changes nothing; after an interruption it does the rest.",
      "",
      "FILE is a unit file; a DIRECTORY, such as shop/ or ., means the unit files in it; - is",
      "standard input, where each unit begins with a line \"# unit: NAME\".",
      "",
      "The state of a unit is that of the file's first line, \"# state: loaded\", or else of State=",
      "in its [X-Fleet] section, or of --state: launched, loaded or inactive. Without any it is",
      "launched, or loaded if a timer, path or socket of the files starts it. Templates are kept,",
      "and have no state. A difference in State= alone restarts nothing.",
      "",
      "A unit that runs gets new content by a rollout, which is reverted if it fails. The rollout of",
      "a template changes all instances that have no file here. Units are stopped last, and only if",
      "everything else is well.",
      "",
      "With --set, the units of the files come into a set; with --prune, those of the set that have",
      "no file any more are destroyed, after everything else and only if all is well. --no-set",
      "takes the units of the files out of their sets."
    },
    exitCodeList = {
      "0:the cluster matches the files; with --no-block: accepted",
      "1:a unit was refused or failed, its rollout was reverted, or the answer was not y",
      "3:with --dry-run: something would change; with --no-block: some changes have to come later",
      "130:the wait was interrupted"
    },
    footer = {
      "fleetctl apply shop/",
      "fleetctl apply --dry-run shop/ web.service",
      "fleetctl apply --set shop --prune shop/",
      "fleetctl apply --yes - <shop.units"
    })
final class ApplyCommand extends UnitsCommand {

  @Option(
      names = "--dry-run",
      description = "Show what would change, and change nothing; exit 3 if something would.")
  boolean dryRun;

  @Option(
      names = {"-y", "--yes"},
      description = "Apply without asking.")
  boolean yes;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      defaultValue = "",
      description = "The state of units whose files say none: launched, loaded or inactive.")
  String state = "";

  @Option(
      names = "--set",
      paramLabel = "NAME",
      description = "The set that the units of the files are in from now on.")
  @Nullable String set;

  @Option(names = "--no-set", description = "Take the units of the files out of their sets.")
  boolean noSet;

  @Option(
      names = "--prune",
      description = "With --set: destroy the units of the set that the files do not name.")
  boolean prune;

  @Mixin RolloutOptions limits = new RolloutOptions();
  @Mixin StrictOptions checks = new StrictOptions();
  @Mixin InputOptions input = new InputOptions();
  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  int run() throws CommandException, FleetException, UnitProblemException {
    limits.check();
    Optional<DesiredState> defaultState = defaultState();
    String into = set();
    FleetClient client = client();
    List<UnitArgument> arguments = files(session(), units, input, "Error: ");
    var creation = new UnitCreation(client, output(), checks.strict, true, List.of(), List.of());
    List<WantedUnit> wanted = wanted(creation, arguments);
    Map<String, UnitEntity> existing = existing(client, wanted);
    ApplyPlan plan =
        new TriggeredSteps(creation, output())
            .keepTogether(ApplyPlan.of(wanted, existing, defaultState, into), arguments);
    if (prune) {
      plan = plan.pruning(into, client.units());
    }
    plan = plan.following(instances(client, plan.followed()));
    new ApplyText(output(), dryRun).show(plan);
    if (dryRun || plan.isEmpty()) {
      return plan.isEmpty() ? ExitCode.OK : ExitCode.CHANGES;
    }
    // With --yes there is no question during which a unit could change.
    if (!yes) {
      expectMeant(plan);
      expectAsShown(plan.existing(), present(client, wanted, plan));
    }
    return new ApplyRun(client, output(), wait, limits, plan).run();
  }

  private Optional<DesiredState> defaultState() throws CommandException {
    Optional<DesiredState> defaultState = DesiredState.ofText(state);
    if (defaultState.isEmpty() && !state.isEmpty()) {
      throw CommandException.usage(
          "Error: --state is launched, loaded or inactive, not \"" + state + "\"");
    }
    return defaultState;
  }

  /** Empty if the units stay in their sets. */
  private String set() throws CommandException {
    if (noSet && (set != null || prune)) {
      throw CommandException.usage("Error: --no-set goes without --set and --prune");
    }
    if (noSet) {
      return SetName.NONE;
    }
    if (set == null) {
      if (prune) {
        throw CommandException.usage("Error: --prune goes with --set NAME: the set to prune");
      }
      return "";
    }
    try {
      return SetName.valid(set);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("Error: " + e.getMessage());
    }
  }

  private static List<WantedUnit> wanted(UnitCreation creation, List<UnitArgument> arguments)
      throws UnitProblemException {
    List<WantedUnit> wanted = new ArrayList<>();
    for (UnitArgument argument : arguments) {
      wanted.add(creation.wanted(argument));
    }
    return wanted;
  }

  private static Map<String, UnitEntity> existing(FleetClient client, List<WantedUnit> wanted)
      throws CommandException, FleetException {
    Map<String, UnitEntity> existing =
        client.units(wanted.stream().map(unit -> unit.name().value()).toList());
    for (UnitEntity unit : existing.values()) {
      if (unit.options().isEmpty()) {
        throw CommandException.failed(
            "Error: you may not read the text of " + unit.name() + ", so nothing can be compared");
      }
    }
    return client.withTexts(List.copyOf(existing.values())).stream()
        .collect(Collectors.toMap(UnitEntity::name, unit -> unit));
  }

  private static List<UnitEntity> instances(FleetClient client, List<UnitName> templates)
      throws FleetException {
    List<String> patterns =
        templates.stream()
            .map(template -> Glob.quoted(template.value()).replace("@.", "@*."))
            .toList();
    return patterns.isEmpty() ? List.of() : client.withTexts(client.unitsLike(patterns));
  }

  private void expectMeant(ApplyPlan plan) throws CommandException {
    String change = ApplyText.change(plan);
    String question =
        change.substring(0, 1).toUpperCase(Locale.ROOT) + change.substring(1) + "? [y/N] ";
    Confirmation.expect(session(), change, List.of(), question, "y", "Nothing was changed.");
  }

  /** The units of the plan as they are by now, and new ones that a rollout would change. */
  private static Map<String, UnitEntity> present(
      FleetClient client, List<WantedUnit> wanted, ApplyPlan plan)
      throws CommandException, FleetException {
    Map<String, UnitEntity> present = new HashMap<>(existing(client, wanted));
    instances(client, plan.followed()).stream()
        .filter(plan::mayFollow)
        .forEach(unit -> present.put(unit.name(), unit));
    return present;
  }

  /** Somebody may have changed a unit while the question was open. */
  private static void expectAsShown(Map<String, UnitEntity> shown, Map<String, UnitEntity> now)
      throws CommandException {
    if (!shown.keySet().equals(now.keySet())
        || !now.values().stream().allMatch(unit -> isSame(shown.get(unit.name()), unit))) {
      throw CommandException.failed(
          "Error: somebody has changed one of the units meanwhile: nothing was changed, run the command again");
    }
  }

  private static boolean isSame(@Nullable UnitEntity shown, UnitEntity now) {
    return shown != null
        && shown.incarnation().equals(now.incarnation())
        && shown.desiredState().equals(now.desiredState())
        && shown.options().equals(now.options())
        && shown.set().equals(now.set())
        && shown.text().equals(now.text());
  }
}
