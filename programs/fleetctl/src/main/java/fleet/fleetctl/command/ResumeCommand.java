package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetException;
import picocli.CommandLine.Command;

/** Goes on with giving the units of lost machines to others. */
@Command(
    name = "resume",
    header = "Give the units of lost machines to others where that pauses",
    customSynopsis = "",
    description = {
      "Where many machines vanish at once, the network is the likelier culprit: their units stay",
      "where they are until they are back, for storm_pause, or until this command. list-machines",
      "says which machines are lost."
    },
    exitCodeList = {"0:the units move, or nothing paused", "1:fleetd could not be asked"},
    footer = {"fleetctl resume"})
final class ResumeCommand extends FleetCommand {

  @Override
  public int run(Session session) throws CommandException, FleetException {
    session
        .output()
        .line(
            client(session).operations().resume()
                ? "Units of lost machines run elsewhere from now on."
                : "Rescheduling does not pause.");
    return ExitCode.OK;
  }
}
