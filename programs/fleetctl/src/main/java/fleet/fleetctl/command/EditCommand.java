package fleet.fleetctl.command;

import fleet.core.requirements.StateWish;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.entities.UnitEntity;
import fleet.fleetctl.apply.ApplyPlan;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.EditedFile;
import fleet.fleetctl.unit.UnitArgument;
import fleet.fleetctl.unit.UnitCreation;
import fleet.fleetctl.unit.UnitProblemException;
import fleet.fleetctl.unit.WantedUnit;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Opens a unit in an editor, and applies what was written. */
@Command(
    name = "edit",
    header = "Edit a unit of the cluster, and apply it",
    customSynopsis = "[OPTIONS] UNIT",
    description = {
      "Opens the text of the unit in the editor of VISUAL or EDITOR, and applies the edited text as",
      "apply does: a unit that runs gets its new content by a rollout, a template gives it to all of",
      "its instances. The unit keeps its state, unless State= is changed. If nothing was written, or",
      "the editor fails, nothing is done.",
      "",
      "A text that is no unit file can be edited again. A text that cannot be applied, because",
      "somebody else has changed the unit meanwhile, is kept in a file, which is named."
    },
    exitCodeList = {
      "0:the unit is as it was written, or nothing was written",
      "1:the text was refused, the unit failed, its rollout was reverted, or the editor failed",
      "130:the wait was interrupted"
    },
    footer = {"fleetctl edit web.service", "EDITOR='code --wait' fleetctl edit web@"})
final class EditCommand extends UnitsCommand {

  @Mixin RolloutOptions limits = new RolloutOptions();
  @Mixin StrictOptions checks = new StrictOptions();
  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  int run() throws CommandException, FleetException, UnitProblemException {
    limits.check();
    if (units.size() != 1) {
      throw CommandException.usage("Error: expect one unit");
    }
    String name = names().getFirst();
    FleetClient client = client();
    UnitEntity before =
        client
            .unitWithText(name)
            .orElseThrow(() -> CommandException.failed("Error: there is no unit " + name));
    String text = UnitReader.file(before).text();
    EditedFile file = EditedFile.of(UnitName.of(name), text);
    Optional<WantedUnit> written = edit(client, file, text);
    if (written.isEmpty()) {
      file.remove();
      output().line("Nothing was changed.");
      return ExitCode.OK;
    }
    return applyOrKeep(output(), client, before, written.get(), file);
  }

  /** The text is not lost if it cannot be applied. */
  private int applyOrKeep(
      Output output, FleetClient client, UnitEntity before, WantedUnit written, EditedFile file)
      throws CommandException, FleetException {
    int code = ExitCode.FAILED;
    try {
      code = apply(output, client, before, written);
    } finally {
      if (code == ExitCode.FAILED) {
        output.problem(kept(file.path()));
      } else {
        file.remove();
      }
    }
    return code;
  }

  private static String kept(Path file) {
    return "What was written is in " + file;
  }

  // ---- writing

  /** The new text; empty if nothing was written. */
  private Optional<WantedUnit> edit(FleetClient client, EditedFile file, String text)
      throws CommandException, UnitProblemException {
    var creation = new UnitCreation(client, output(), checks.strict, true, List.of(), List.of());
    while (true) {
      output().flush();
      int code = Editor.of(session().environment()).run(file.path());
      if (code != 0) {
        file.remove();
        throw CommandException.failed(
            "Error: the editor ended with exit code " + code + ": nothing was changed");
      }
      try {
        if (!file.differsFrom(text)) {
          return Optional.empty();
        }
        return Optional.of(
            creation.wanted(UnitArgument.of(file.path().toString(), session().directory())));
      } catch (UnitProblemException e) {
        output().problem("Error: " + e.getMessage());
        expectAnother(file);
      }
    }
  }

  private void expectAnother(EditedFile file) throws CommandException {
    Optional<InputStream> keyboard = session().keyboard();
    if (keyboard.isEmpty()
        || !Confirmation.isGiven(session(), keyboard.get(), "Edit it again? [y/N] ", "y")) {
      throw CommandException.failed("Nothing was changed. " + kept(file.path()));
    }
  }

  // ---- applying

  private int apply(Output output, FleetClient client, UnitEntity before, WantedUnit written)
      throws CommandException, FleetException {
    String name = before.name();
    UnitEntity now = asBefore(client, before);
    // The state is that of this moment: somebody may have stopped the unit meanwhile.
    DesiredState state = state(before, written.file(), now);
    var wanted =
        new WantedUnit(written.name(), name + " (edited)", written.file(), Optional.of(state));
    ApplyPlan plan = ApplyPlan.of(List.of(wanted), Map.of(name, now), Optional.empty(), "");
    new ApplyText(output, false).show(plan);
    return plan.changes().isEmpty()
        ? ExitCode.OK
        : new ApplyRun(client, output, wait, limits, plan).run();
  }

  private static UnitEntity asBefore(FleetClient client, UnitEntity before)
      throws CommandException, FleetException {
    Optional<UnitEntity> now = client.unitWithText(before.name());
    if (now.isEmpty()
        || !now.get().incarnation().equals(before.incarnation())
        || !now.get().options().equals(before.options())
        || !now.get().text().equals(before.text())) {
      throw CommandException.failed(
          "Error: somebody has %s %s meanwhile: nothing was changed"
              .formatted(now.isEmpty() ? "destroyed" : "changed", before.name()));
    }
    return now.get();
  }

  /** Only what was written by hand changes the state. */
  private static DesiredState state(UnitEntity before, UnitFile written, UnitEntity now) {
    Optional<DesiredState> wish = StateWish.of(written);
    DesiredState present = DesiredState.ofText(now.desiredState()).orElse(DesiredState.INACTIVE);
    return wish.equals(StateWish.of(UnitReader.file(before))) ? present : wish.orElse(present);
  }
}
