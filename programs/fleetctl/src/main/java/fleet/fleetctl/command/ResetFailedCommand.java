package fleet.fleetctl.command;

import fleet.core.question.UnitVerb;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import java.util.List;
import picocli.CommandLine.Command;

/** Has systemd forget that units failed. */
@Command(
    name = "reset-failed",
    header = "Forget that units failed",
    customSynopsis = "[--machine=MACHINE] UNIT...",
    description = {
      "As systemctl reset-failed: failed units become inactive, and their start limits begin",
      "again. Starts nothing. UNIT may be a pattern: 'web@*'. Global units: on each of their",
      "machines."
    },
    exitCodeList = {"0:done", "1:a unit is on no machine, or its machine could not be asked"},
    footer = {"fleetctl reset-failed 'web@*'"})
final class ResetFailedCommand extends SystemctlCommand {

  ResetFailedCommand() {
    super(UnitVerb.RESET_FAILED);
  }

  @Override
  List<String> named(CommandEnvironment session, FleetClient client)
      throws CommandException, FleetException {
    return expanded(session, client);
  }
}
