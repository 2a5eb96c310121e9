package fleet.ctl.command;

import fleet.ctl.unit.UnitArgument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Parameters;

/** A command for some units. */
abstract class UnitsCommand extends FleetCommand {

  @Parameters(paramLabel = "UNIT", arity = "0..*", hidden = true)
  List<String> units = new ArrayList<>();

  /** The units that were named, each once, in that order. */
  final List<UnitArgument> arguments(Session session) throws CommandException {
    return arguments(session, units);
  }

  /** The same, of units that were named in another way. */
  static List<UnitArgument> arguments(Session session, List<String> given) throws CommandException {
    if (given.isEmpty()) {
      throw CommandException.usage("No units given");
    }
    Map<String, UnitArgument> arguments = new LinkedHashMap<>();
    for (String one : given) {
      UnitArgument argument = UnitArgument.of(one, session.directory());
      arguments.putIfAbsent(argument.name(), argument);
    }
    return new ArrayList<>(arguments.values());
  }

  final List<String> names(Session session) throws CommandException {
    List<String> names = new ArrayList<>();
    for (UnitArgument argument : arguments(session)) {
      names.add(argument.name());
    }
    return names;
  }
}
