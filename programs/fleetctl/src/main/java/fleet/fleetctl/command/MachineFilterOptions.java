package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.fleetctl.table.InvalidExpressionException;
import fleet.fleetctl.table.Selector;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Which machines a listing shows. */
final class MachineFilterOptions {

  private static final List<String> STATES =
      List.of(
          "ready",
          "cordoned",
          "draining",
          "drained",
          "maintenance",
          "awaited",
          "lost",
          "left",
          "away");

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

  /** Whether absent machines may be meant. */
  boolean choosesStates() {
    return !states.isEmpty();
  }

  /** Refuses what cannot be read, before fleetd is asked. */
  void check() throws CommandException {
    for (String state : wanted()) {
      if (!STATES.contains(state)) {
        throw CommandException.usage(
            "Error: unknown state \"%s\": there are %s"
                .formatted(state, String.join(", ", STATES)));
      }
    }
    if (!selector.isEmpty()) {
      var _ = selector();
    }
  }

  /** The chosen ones of machines. */
  List<MachineEntity> of(List<MachineEntity> machines, Function<MachineEntity, String> state)
      throws CommandException {
    List<MachineEntity> chosen = machines;
    if (choosesStates()) {
      List<String> wanted = wanted();
      chosen = chosen.stream().filter(one -> wanted.contains(state.apply(one))).toList();
    }
    if (!selector.isEmpty()) {
      Selector selects = selector();
      chosen = chosen.stream().filter(one -> selects.matches(one.metadata())).toList();
    }
    return chosen;
  }

  private List<String> wanted() {
    return states.isEmpty() ? List.of() : List.of(states.split(",", -1));
  }

  private Selector selector() throws CommandException {
    try {
      return new Selector(selector);
    } catch (InvalidExpressionException e) {
      throw ListingOptions.invalid(e);
    }
  }
}
