package fleet.fleetctl.command;

import fleet.core.question.UnitVerb;
import picocli.CommandLine.Command;

/** Has units read their configuration again. */
@Command(
    name = "reload",
    header = "Have units read their configuration again",
    customSynopsis = "[--machine=MACHINE] UNIT...",
    description = {
      "As systemctl reload: runs ExecReload= of each unit on its machine and waits for it.",
      "Global units: on each of their machines. Unit files stay as they are: fleetctl start",
      "--replace changes those."
    },
    exitCodeList = {
      "0:done",
      "1:a unit cannot be reloaded or its reload failed, or its machine could not be asked"
    },
    footer = {"fleetctl reload web.service"})
final class ReloadCommand extends SystemctlCommand {

  ReloadCommand() {
    super(UnitVerb.RELOAD);
  }
}
