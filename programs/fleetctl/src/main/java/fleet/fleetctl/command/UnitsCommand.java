package fleet.fleetctl.command;

import fleet.core.requirements.Glob;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.unit.UnitArgument;
import fleet.fleetctl.unit.UnitProblemException;
import fleet.fleetctl.unit.UnitSources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Parameters;

/** A command for some units. */
abstract class UnitsCommand extends FleetCommand {

  @Parameters(paramLabel = "UNIT", arity = "0..*", hidden = true)
  List<String> units = new ArrayList<>();

  /** The units that were named, each once, in that order. */
  final List<UnitArgument> arguments() throws CommandException {
    return arguments(session(), units);
  }

  /**
   * The same, for names from another source.
   *
   * @throws CommandException also for a pattern, which would be a missing unit
   */
  static List<UnitArgument> arguments(CommandEnvironment session, List<String> given)
      throws CommandException {
    if (given.isEmpty()) {
      throw CommandException.usage("No units given");
    }
    Map<String, UnitArgument> arguments = new LinkedHashMap<>();
    for (String one : given) {
      UnitArgument argument = UnitArgument.of(one, session.directory());
      if (isPattern(argument.name())) {
        throw CommandException.usage(
            ("Error: \"%s\" is a pattern, and this takes names: fleetctl list-unit-files has those"
                    + " of all units")
                .formatted(argument.name()));
      }
      arguments.putIfAbsent(argument.name(), argument);
    }
    return new ArrayList<>(arguments.values());
  }

  /**
   * The same, where a word may also be a directory of unit files, or {@code -} for standard input.
   *
   * @param failure the first words of a message if they cannot be read
   */
  static List<UnitArgument> files(
      CommandEnvironment session, List<String> given, InputOptions input, String failure)
      throws CommandException {
    List<String> single = given.stream().filter(UnitsCommand::isPattern).toList();
    if (given.isEmpty() || !single.isEmpty()) {
      return arguments(session, single);
    }
    try {
      return new UnitSources(session.directory(), session.input(), input.name).read(given);
    } catch (UnitProblemException e) {
      throw CommandException.failed(failure + e.getMessage());
    }
  }

  /** The patterns among the units that were named, each once. */
  final List<Glob> patterns() throws CommandException {
    if (units.isEmpty()) {
      return List.of();
    }
    List<Glob> patterns = new ArrayList<>();
    for (String unit : units.stream().filter(UnitsCommand::isPattern).distinct().toList()) {
      Glob pattern = new Glob(unit);
      if (!pattern.isWellFormed()) {
        throw CommandException.usage("Error: malformed pattern \"" + unit + "\"");
      }
      patterns.add(pattern);
    }
    return patterns;
  }

  /** The units that were named, but for patterns, each once. */
  final List<String> namesBesidePatterns() throws CommandException {
    List<String> named = units.stream().filter(unit -> !isPattern(unit)).toList();
    return named.isEmpty()
        ? List.of()
        : arguments(session(), named).stream().map(UnitArgument::name).toList();
  }

  /**
   * Units by names and patterns.
   *
   * @param names each once: those that were named, then those that patterns match
   * @param unmatched the patterns that match no unit
   */
  record Chosen(List<String> names, List<String> unmatched) {}

  final Chosen chosen(FleetClient client) throws CommandException, FleetException {
    List<Glob> patterns = patterns();
    if (patterns.isEmpty()) {
      return new Chosen(names(), List.of());
    }
    Set<String> names = new LinkedHashSet<>(namesBesidePatterns());
    List<String> unmatched = new ArrayList<>();
    List<UnitEntity> found = client.unitsLike(patterns.stream().map(Glob::pattern).toList());
    for (Glob pattern : patterns) {
      List<String> matching =
          found.stream().map(UnitEntity::name).filter(pattern::matches).sorted().toList();
      names.addAll(matching);
      if (matching.isEmpty()) {
        unmatched.add(pattern.pattern());
      }
    }
    return new Chosen(List.copyOf(names), unmatched);
  }

  /**
   * The names of the chosen units.
   *
   * @throws CommandException also if no unit matches a pattern
   */
  final List<String> expanded(FleetClient client) throws CommandException, FleetException {
    Chosen chosen = chosen(client);
    if (!chosen.unmatched().isEmpty()) {
      throw CommandException.failed(
          "Error: no unit matches " + String.join(" ", chosen.unmatched()));
    }
    return chosen.names();
  }

  /** Names may hold a backslash as well, which has a meaning in patterns. */
  static boolean isPattern(String unit) {
    return unit.contains("*") || unit.contains("?") || unit.contains("[");
  }

  /** The names of the units, each once. */
  final List<String> names() throws CommandException {
    return arguments().stream().map(UnitArgument::name).toList();
  }
}
