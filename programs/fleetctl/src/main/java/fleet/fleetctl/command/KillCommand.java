package fleet.fleetctl.command;

import fleet.core.question.KillSignal;
import fleet.core.question.UnitVerb;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sends a signal to the processes of units. */
@Command(
    name = "kill",
    header = "Send a signal to the processes of units",
    customSynopsis = "[-s SIGNAL] [--kill-whom=WHOM] [--machine=MACHINE] UNIT...",
    description = {
      "As systemctl kill. The units stay as they are wanted: one that ends by the signal is",
      "restarted if its file says Restart=, and else stays ended. Global units: on each of their",
      "machines."
    },
    exitCodeList = {
      "0:all signals were sent",
      "1:a unit is on no machine or has no process, or its machine could not be asked"
    },
    footer = {
      "fleetctl kill -s HUP web.service",
      "fleetctl kill -s USR1 --kill-whom=main web@1.service"
    })
final class KillCommand extends SystemctlCommand {

  @Option(
      names = {"-s", "--signal"},
      paramLabel = "SIGNAL",
      defaultValue = "TERM",
      description = "The signal: HUP, SIGHUP or 1.")
  String signal = "TERM";

  @Option(
      names = {"--kill-whom", "--kill-who"},
      paramLabel = "WHOM",
      defaultValue = "all",
      description = "The processes: all, main, or control.")
  String whom = "all";

  KillCommand() {
    super(UnitVerb.KILL);
  }

  @Override
  Optional<KillSignal> signal() throws CommandException {
    try {
      return Optional.of(new KillSignal(signal, whom));
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("Error: " + e.getMessage());
    }
  }
}
