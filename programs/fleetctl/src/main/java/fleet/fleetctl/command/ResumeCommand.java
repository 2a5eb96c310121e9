package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetException;
import picocli.CommandLine.Command;

/** Resumes rescheduling. */
@Command(
    name = "resume",
    header = "Resume rescheduling: move the units of lost machines to others",
    customSynopsis = "",
    description = {
      "If many machines vanish at once, the network is the likelier cause. Rescheduling then",
      "pauses: their units stay with them until the machines are back, until storm_pause has",
      "passed, or until this command. list-machines shows which machines are lost."
    },
    exitCodeList = {
      "0:the units move, or rescheduling was not paused",
      "1:fleetd could not be asked"
    },
    footer = {"fleetctl resume"})
final class ResumeCommand extends FleetCommand {

  @Override
  int run() throws CommandException, FleetException {
    output()
        .line(
            client().operations().resume()
                ? "Rescheduling is resumed: units of lost machines run elsewhere from now on."
                : "Rescheduling is not paused.");
    return ExitCode.OK;
  }
}
