package fleet.fleetctl.command;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnreportedEntity;
import fleet.fleetctl.client.AllStates;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the active state of units, and exits by it, as systemctl does. */
abstract class UnitStateCommand extends UnitsCommand {

  /** The worst first: a global unit is as bad as its worst machine. */
  private static final List<String> WORST_FIRST =
      List.of(
          "failed",
          "inactive",
          "deactivating",
          "maintenance",
          "activating",
          "reloading",
          "refreshing",
          "active");

  private static final String INACTIVE = "inactive";

  /** The machine of the unit is not heard of. */
  private static final String UNKNOWN = "unknown";

  @Option(
      names = {"-q", "--quiet"},
      description = "Print nothing.")
  boolean quiet;

  @Mixin MachineOption machine = new MachineOption();

  private final Set<String> good;
  private final int otherwise;

  /**
   * @param good the states of which one is enough for exit code 0
   * @param otherwise the exit code if no unit is in one of them
   */
  UnitStateCommand(Set<String> good, int otherwise) {
    this.good = good;
    this.otherwise = otherwise;
  }

  @Override
  int run() throws CommandException, FleetException {
    FleetClient client = client();
    List<String> names = expanded(client);
    String only = machine.id(client);
    Map<String, UnitEntity> units = client.units(names);
    AllStates states = client.states(names);
    Output output = output();
    boolean found = false;
    boolean known = false;
    for (String name : names) {
      Optional<UnitEntity> unit = Optional.ofNullable(units.get(name));
      String state = unit.map(it -> state(it, states, only)).orElse(INACTIVE);
      found |= good.contains(state);
      known |= unit.isPresent() && !state.equals(UNKNOWN);
      if (!quiet) {
        output.line(state);
      }
    }
    return found ? ExitCode.OK : known ? otherwise : ExitCode.UNKNOWN_STATE;
  }

  private static String state(UnitEntity unit, AllStates all, String only) {
    return all.states().stream()
        .filter(state -> state.name().equals(unit.name()))
        .filter(state -> only.isEmpty() || only.equals(state.machineID()))
        .map(StateEntity::systemdActiveState)
        .min(Comparator.comparingInt(WORST_FIRST::indexOf))
        .orElseGet(() -> unreported(all).contains(unit.machineID()) ? UNKNOWN : INACTIVE);
  }

  private static Set<String> unreported(AllStates all) {
    return all.unreported().stream().map(UnreportedEntity::machineID).collect(Collectors.toSet());
  }
}
