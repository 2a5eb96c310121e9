package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.fleetctl.client.MachineSelector;
import fleet.fleetctl.client.UnknownMachineException;
import fleet.fleetctl.table.ListingView;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Which units a listing shows, beside names and patterns. */
final class UnitFilterOptions {

  @Option(
      names = "--state",
      paramLabel = "LIST",
      defaultValue = "",
      description = "Only units in one of these states, separated by commas.")
  String states = "";

  @Option(
      names = "--machine",
      paramLabel = "MACHINE",
      defaultValue = "",
      description = "Only units on this machine: a hostname, address, id, or beginning of an id.")
  String machine = "";

  @Option(
      names = "--selector",
      paramLabel = "LIST",
      defaultValue = "",
      description = "Only units on machines with this metadata: region=eu,disk!=hdd,gpu,!old.")
  String selector = "";

  @Option(
      names = {"-w", "--watch"},
      description = "Show the list again whenever it changes, until Ctrl-C.")
  boolean watch;

  /**
   * The states that were asked for; empty for all.
   *
   * @param all the states there are
   */
  Set<String> states(Supplier<Set<String>> all) throws CommandException {
    if (states.isEmpty()) {
      return Set.of();
    }
    Set<String> known = all.get();
    Set<String> wanted = new LinkedHashSet<>(List.of(states.split(",", -1)));
    for (String state : wanted) {
      if (!known.contains(state)) {
        throw CommandException.usage(
            "Error: unknown state \"%s\": there are %s"
                .formatted(state, known.stream().sorted().collect(Collectors.joining(", "))));
      }
    }
    return wanted;
  }

  /** Whether only the units of some machines are asked for. */
  boolean choosesMachines() {
    return !machine.isEmpty() || !selector.isEmpty();
  }

  /** Refuses a selector that cannot be read, before fleetd is asked. */
  void check(ListingView view) throws CommandException {
    if (watch && !view.isStreamable()) {
      throw CommandException.usage("Error: --watch needs -o table, wide, name or json");
    }
    var _ = ListingOptions.selected(selector, List.of());
  }

  /** The ids of the chosen machines, out of all. */
  Set<String> machines(List<MachineEntity> all) throws CommandException {
    if (!choosesMachines()) {
      return Set.of();
    }
    List<MachineEntity> chosen = all;
    if (!machine.isEmpty()) {
      String id = chosen(all);
      chosen = all.stream().filter(one -> one.id().equals(id)).toList();
    }
    return ListingOptions.selected(selector, chosen).stream()
        .map(MachineEntity::id)
        .collect(Collectors.toSet());
  }

  private String chosen(List<MachineEntity> all) throws CommandException {
    try {
      return new MachineSelector(all).id(machine);
    } catch (UnknownMachineException e) {
      throw CommandException.failed("Error: " + e.getMessage());
    }
  }
}
