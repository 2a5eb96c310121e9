package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.UnitReader;
import java.util.Optional;
import picocli.CommandLine.Command;

/** Prints the text of a unit. */
@Command(
    name = "cat",
    header = "Print the text of a unit",
    customSynopsis = "UNIT",
    description = {"Prints the text as it was submitted, with its comments."},
    exitCodeList = {
      "0:the unit was printed",
      "1:there is no such unit, or you may not read its text"
    },
    footer = {"fleetctl cat web.service"})
final class CatCommand extends UnitsCommand {
  @Override
  int run() throws CommandException, FleetException {
    if (units.size() != 1) {
      throw CommandException.usage("One unit file must be provided");
    }
    String name = names().getFirst();
    Optional<UnitEntity> unit = onlooker().unitWithText(name);
    if (unit.isEmpty()) {
      throw CommandException.failed("Unit " + name + " not found");
    }
    output().text(UnitReader.file(unit.get()).text());
    return ExitCode.OK;
  }
}
