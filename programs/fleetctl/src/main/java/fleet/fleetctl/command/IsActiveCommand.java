package fleet.fleetctl.command;

import java.util.Set;
import picocli.CommandLine.Command;

/** Asks whether a unit is active. */
@Command(
    name = "is-active",
    header = "Ask whether units are active",
    customSynopsis = "[-q|--quiet] [--machine=MACHINE] UNIT...",
    description = {
      "Prints the state of each unit, as systemctl is-active: active, reloading, inactive,",
      "failed, activating or deactivating; unknown if its machine does not report. A global unit",
      "is as bad as on its worst machine. UNIT may be a pattern: 'web@*'."
    },
    exitCodeList = {
      "0:at least one unit is active",
      "1:fleetd could not be asked, or no unit fits a pattern",
      "3:no unit is active",
      "4:no unit exists, or its state is not known"
    },
    footer = {"fleetctl is-active web.service", "fleetctl is-active -q db && echo up"})
final class IsActiveCommand extends UnitStateCommand {

  IsActiveCommand() {
    super(Set.of("active", "reloading", "refreshing"), ExitCode.NOT_ACTIVE);
  }
}
