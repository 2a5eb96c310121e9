package fleet.fleetctl.command;

import fleet.core.question.UnitVerb;
import picocli.CommandLine.Command;

/** Suspends the processes of units. */
@Command(
    name = "freeze",
    header = "Suspend the processes of units",
    customSynopsis = "[--machine=MACHINE] UNIT...",
    description = {
      "As systemctl freeze: the processes get no CPU time until fleetctl thaw. A unit that is",
      "stopped, restarted or moved is thawed first. Global units: on each of their machines."
    },
    exitCodeList = {"0:done", "1:a unit cannot be frozen, or its machine could not be asked"},
    footer = {"fleetctl freeze batch.service"})
final class FreezeCommand extends SystemctlCommand {

  FreezeCommand() {
    super(UnitVerb.FREEZE);
  }
}
