package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.AllStates;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.command.WatchedListing.Found;
import fleet.fleetctl.output.Ages;
import fleet.fleetctl.table.Comparators;
import fleet.fleetctl.table.Listing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists what the machines say of their units. */
@Command(
    name = "list-units",
    header = "List the units on machines, with their systemd states",
    customSynopsis =
        "[-o FORMAT] [--fields=LIST] [--sort=LIST] [-l|--full] [--no-legend] [--state=LIST | --failed]"
            + " [--machine=MACHINE] [--selector=LIST] [-w|--watch] [UNIT...]",
    description = {
      "One line for each unit on each machine. Units that are only submitted are in",
      "list-unit-files. UNIT is a name, or a pattern in quotes: 'web@*'. Standard error says if",
      "machines do not report their units at the moment, or if the list may be old because fleetd",
      "does not reach etcd.",
      "Fields: unit, load, active, sub, machine, hash, require, since, restarts; without --fields:",
      "unit, machine, active, sub. --state takes the words of load, active and sub.",
      "--watch: a terminal is repainted; elsewhere the header and all units come first, then each",
      "unit again whose state changed, with -o json an object a line."
    },
    exitCodeList = {
      "0:the units were listed",
      "1:fleetd could not be asked; or there is no unit, or no machine, of a name that was given",
      "130:ended by Ctrl-C"
    },
    footer = {
      "fleetctl list-units",
      "fleetctl list-units 'web@*' --failed --sort=-since --fields=unit,machine,sub,since",
      "fleetctl list-units --no-legend --fields=unit,machine",
      "fleetctl list-units -o json",
      "fleetctl list-units -o jsonpath='{range [*]}{.name}{\"\\n\"}{end}'"
    })
final class ListUnitsCommand extends UnitListingCommand<StateEntity> {

  private static final int SHORT_HASH = 7;

  @Option(names = "--failed", description = "The same as --state=failed.")
  boolean failed;

  @Override
  Set<String> states() throws CommandException {
    return failed ? Set.of("failed") : filter.states(() -> SystemdStates.ALL);
  }

  @Override
  Shown<StateEntity> find(
      FleetClient client, Request request, List<MachineEntity> known, Set<String> on)
      throws FleetException {
    AllStates all = client.states(request.names().texts());
    List<StateEntity> named =
        all.states().stream().filter(state -> request.names().matches(state.name())).toList();
    List<StateEntity> shown = new ArrayList<>(named);
    shown.removeIf(state ->
        (filter.choosesMachines() && !on.contains(state.machineID()))
            || !isIn(request.states(), state));
    shown.sort(Comparators.by(StateEntity::machineID));
    shown.sort(Comparators.by(StateEntity::name));
    boolean lacksNames = request.view().needs("machine") && !shown.isEmpty() && known.isEmpty();
    UnaryOperator<String> machine = shown(request, lacksNames ? client.machines().list() : known);
    Map<String, String> require =
        request.view().needs("require") ? require(client, request.names()) : Map.of();
    return new Shown<>(
        new Found<>(shown, () -> listing(machine, require)),
        all.unreported(),
        named.stream().map(StateEntity::name).collect(Collectors.toSet()));
  }

  private static boolean isIn(Set<String> states, StateEntity state) {
    return states.isEmpty()
        || states.contains(state.systemdActiveState())
        || states.contains(state.systemdSubState())
        || states.contains(state.systemdLoadState());
  }

  @Override
  boolean isAnyAbsent(FleetClient client, List<String> missing) throws FleetException {
    Set<String> existing = client.units(missing).keySet();
    for (String unit : missing) {
      output()
          .problem(
              existing.contains(unit)
                  ? "Unit " + unit + " is on no machine: see fleetctl why " + unit
                  : "Unit " + unit + " does not exist.");
    }
    return !existing.containsAll(missing);
  }

  /** Requirements on machines beside those in units' files, by unit. */
  private static Map<String, String> require(FleetClient client, UnitNameFilter names)
      throws FleetException {
    Map<String, String> require = new HashMap<>();
    for (UnitEntity unit : client.unitsLike(names.texts())) {
      require.put(unit.name(), ListUnitFilesCommand.require(unit));
    }
    return require;
  }

  @Override
  Listing<StateEntity> listing(UnaryOperator<String> machine) {
    return listing(machine, Map.of());
  }

  private Listing<StateEntity> listing(UnaryOperator<String> machine, Map<String, String> require) {
    Instant now = Instant.now();
    return new Listing<StateEntity>()
        .with("unit", state -> state.name())
        .with("load", state -> state.systemdLoadState())
        .with("active", state -> state.systemdActiveState())
        .with("sub", state -> state.systemdSubState())
        .with("machine", state -> machine.apply(state.machineID()))
        .with("hash", state -> hash(state.hash(), look.full))
        .with("require", state -> require.getOrDefault(state.name(), ""))
        .with(
            "since",
            state -> Ages.since(state.since(), now),
            Comparators.by(StateEntity::since, Ages.order()))
        .with("restarts", state -> state.restarts() == null ? "" : state.restarts() + "")
        .usual("unit,machine,active,sub")
        .onTerminals("unit,machine,active,sub,since")
        .wide("unit,machine,load,active,sub,since,restarts,hash")
        .entity(state -> state);
  }

  static String hash(String hash, boolean full) {
    return full || hash.length() <= SHORT_HASH ? hash : hash.substring(0, SHORT_HASH);
  }
}
