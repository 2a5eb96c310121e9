package fleet.fleetctl.command;

import java.util.Set;
import picocli.CommandLine.Command;

/** Asks whether a unit has failed. */
@Command(
    name = "is-failed",
    header = "Ask whether units have failed",
    customSynopsis = "[-q|--quiet] [--machine=MACHINE] UNIT...",
    description = {
      "Prints the state of each unit, as is-active does. A global unit has failed if it has on",
      "one of its machines. UNIT may be a pattern: 'web@*'."
    },
    exitCodeList = {
      "0:at least one unit has failed",
      "1:no unit has failed, fleetd could not be asked, or no unit fits a pattern",
      "4:no unit exists, or its state is not known"
    },
    footer = {"fleetctl is-failed web.service", "fleetctl is-failed -q 'web@*' && page-somebody"})
final class IsFailedCommand extends UnitStateCommand {

  IsFailedCommand() {
    super(Set.of("failed"), ExitCode.FAILED);
  }
}
