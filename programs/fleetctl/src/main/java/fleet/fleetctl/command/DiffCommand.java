package fleet.fleetctl.command;

import fleet.entities.RevisionEntity;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.LocalTimes;
import fleet.fleetctl.output.UnifiedDiff;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Compares the content of a unit with a former one. */
@Command(
    name = "diff",
    header = "Compare the content of a unit with a former one",
    customSynopsis = "UNIT [REV]",
    description = {
      "Prints what has changed since the revision REV of the unit, or since the one before, as",
      "\"diff -u\" does; nothing if nothing has. \"fleetctl history\" lists the revisions."
    },
    exitCodeList = {
      "0:the contents were compared, whether they differ or not",
      "1:there is no such unit or revision, you may not read its text, or fleetd could not be asked"
    },
    footer = {"fleetctl diff web.service", "fleetctl diff web@1 3"})
final class DiffCommand extends FleetCommand {

  @Parameters(paramLabel = "UNIT", arity = "0..*", hidden = true)
  List<String> arguments = new ArrayList<>();

  @Override
  int run() throws CommandException, FleetException {
    if (arguments.isEmpty() || arguments.size() > 2) {
      throw CommandException.usage("Error: name one unit, and one revision or none");
    }
    String unit = UnitsCommand.arguments(session(), arguments.subList(0, 1)).getFirst().name();
    UnitHistory history = UnitHistory.of(onlooker(), unit);
    if (arguments.size() == 1 && history.revisions().size() == 1) {
      output().problem(unit + " has had one content only: there is nothing to compare.");
      return ExitCode.OK;
    }
    RevisionEntity former =
        arguments.size() == 2 ? history.revision(arguments.getLast()) : history.revisions().get(1);
    UnifiedDiff.of(
            name(unit, former),
            history.content(former).text(),
            name(unit, history.current()),
            history.content(history.current()).text())
        .forEach(output()::line);
    return ExitCode.OK;
  }

  private static String name(String unit, RevisionEntity revision) {
    return "%s\trevision %d, %s, %s"
        .formatted(unit, revision.revision(), LocalTimes.of(revision.created()), revision.by());
  }
}
