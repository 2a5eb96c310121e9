package fleet.fleetctl.command;

import fleet.core.requirements.Glob;
import fleet.entities.MachineEntity;
import fleet.fleetctl.client.MachineSelector;
import fleet.fleetctl.client.UnknownMachineException;
import fleet.fleetctl.table.ListingView;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Which machines a listing shows. */
final class MachineFilterOptions {

  private static final List<String> STATES =
      List.of("ready cordoned draining drained maintenance awaited lost left away".split(" "));

  @Option(
      names = "--state",
      paramLabel = "LIST",
      defaultValue = "",
      description = {
        "Only machines in these states, separated by commas: ready, cordoned, draining, drained,",
        "maintenance, awaited, lost, left or away."
      })
  String states = "";

  @Option(
      names = "--selector",
      paramLabel = "LIST",
      defaultValue = "",
      description = "Only machines with this metadata: region=eu,disk!=hdd,gpu,!old.")
  String selector = "";

  @Option(
      names = {"-w", "--watch"},
      description = "Show the list again whenever it changes, until Ctrl-C.")
  boolean watch;

  /** Whether absent machines may be meant. */
  boolean choosesStates() {
    return !states.isEmpty();
  }

  /** Refuses what cannot be read, before fleetd is asked. */
  void check(ListingView view, List<String> words) throws CommandException {
    if (watch && !view.isStreamable()) {
      throw CommandException.usage("Error: --watch needs -o table, wide, name or json");
    }
    for (String word : words) {
      if (UnitsCommand.isPattern(word) && !new Glob(word).isWellFormed()) {
        throw CommandException.usage("Error: malformed pattern \"" + word + "\"");
      }
    }
    for (String state : wanted()) {
      if (!STATES.contains(state)) {
        throw CommandException.usage(
            "Error: unknown state \"%s\": there are %s"
                .formatted(state, String.join(", ", STATES)));
      }
    }
    var _ = ListingOptions.selected(selector, List.of());
  }

  /**
   * The chosen ones of machines.
   *
   * @param words names and patterns; all machines if there are none
   */
  List<MachineEntity> of(
      List<MachineEntity> machines, List<String> words, Function<MachineEntity, String> state)
      throws CommandException {
    List<MachineEntity> chosen = words.isEmpty() ? machines : named(machines, words);
    if (choosesStates()) {
      List<String> wanted = wanted();
      chosen = chosen.stream().filter(one -> wanted.contains(state.apply(one))).toList();
    }
    return ListingOptions.selected(selector, chosen);
  }

  private static List<MachineEntity> named(List<MachineEntity> machines, List<String> words)
      throws CommandException {
    Set<String> ids = new HashSet<>();
    for (String word : words) {
      if (UnitsCommand.isPattern(word)) {
        Glob pattern = new Glob(word);
        machines.stream()
            .filter(one -> pattern.matches(one.hostname()) || pattern.matches(one.id()))
            .forEach(one -> ids.add(one.id()));
      } else {
        ids.add(id(machines, word));
      }
    }
    return machines.stream().filter(one -> ids.contains(one.id())).toList();
  }

  private static String id(List<MachineEntity> machines, String word) throws CommandException {
    MachineSelector selector = new MachineSelector(machines);
    try {
      String id = selector.id(word);
      if (selector.knows(id)) {
        return id;
      }
      throw CommandException.failed("Error: no machine has the id " + id);
    } catch (UnknownMachineException e) {
      throw CommandException.failed("Error: " + e.getMessage());
    }
  }

  private List<String> wanted() {
    return states.isEmpty() ? List.of() : List.of(states.split(",", -1));
  }
}
