package fleet.fleetctl.command;

import fleet.core.question.UnitVerb;
import picocli.CommandLine.Command;

/** Lets frozen units go on. */
@Command(
    name = "thaw",
    header = "Let frozen units go on",
    customSynopsis = "[--machine=MACHINE] UNIT...",
    description = {"As systemctl thaw. Global units: on each of their machines."},
    exitCodeList = {"0:done", "1:a unit cannot be thawed, or its machine could not be asked"},
    footer = {"fleetctl thaw batch.service"})
final class ThawCommand extends SystemctlCommand {

  ThawCommand() {
    super(UnitVerb.THAW);
  }
}
