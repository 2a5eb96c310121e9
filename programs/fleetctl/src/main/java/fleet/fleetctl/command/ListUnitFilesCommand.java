package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.command.WatchedListing.Found;
import fleet.fleetctl.table.Comparators;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** Lists the units of the cluster. */
@Command(
    name = "list-unit-files",
    header = "List all units of the cluster, with their desired states",
    customSynopsis =
        "[-o FORMAT] [--fields=LIST] [--sort=LIST] [-l|--full] [--no-legend] [--state=LIST]"
            + " [--machine=MACHINE] [--selector=LIST] [-w|--watch] [UNIT...]",
    description = {
      "UNIT is a name, or a pattern in quotes: 'web@*'.",
      "Fields: unit, hash, dstate, state, target, desc, global, require; without --fields: unit,",
      "hash, dstate, state, target. --state takes inactive, loaded and launched, desired or",
      "reached. --watch: a terminal is repainted; elsewhere all units come first, then each unit",
      "again that changed, with -o json an object a line."
    },
    exitCodeList = {
      "0:the units were listed",
      "1:fleetd could not be asked; or there is no unit, or no machine, of a name that was given",
      "130:ended by Ctrl-C"
    },
    footer = {
      "fleetctl list-unit-files",
      "fleetctl list-unit-files 'web@*' --state=launched",
      "fleetctl list-unit-files --no-legend --fields=unit,dstate,state",
      "fleetctl list-unit-files -o yaml web.service"
    })
final class ListUnitFilesCommand extends UnitListingCommand<UnitEntity> {

  private static final Set<String> STATES = Set.of("inactive", "loaded", "launched");

  @Override
  Set<String> states() throws CommandException {
    return filter.states(() -> STATES);
  }

  @Override
  void warn(ListingView view) {
    if (view.needs("tmachine")) {
      output().problem("WARNING: The \"tmachine\" field is deprecated. Use \"target\" instead");
    }
  }

  @Override
  Shown<UnitEntity> find(
      FleetClient client, Request request, List<MachineEntity> known, Set<String> on)
      throws FleetException {
    ListingView view = request.view();
    Set<String> states = request.states();
    List<UnitEntity> named =
        client.unitsLike(request.names().texts()).stream()
            .filter(unit -> request.names().matches(unit.name()))
            .sorted(Comparators.by(UnitEntity::name))
            .toList();
    List<UnitEntity> shown =
        named.stream()
            .filter(unit -> !filter.choosesMachines() || on.contains(unit.machineID()))
            .filter(unit ->
                states.isEmpty()
                    || states.contains(unit.desiredState())
                    || states.contains(unit.currentState()))
            .toList();
    boolean placed = shown.stream().anyMatch(unit -> !unit.machineID().isEmpty());
    boolean lacksNames =
        placed && known.isEmpty() && (view.needs("target") || view.needs("tmachine"));
    UnaryOperator<String> machine = shown(request, lacksNames ? client.machines().list() : known);
    return new Shown<>(
        new Found<>(shown, () -> listing(machine)),
        List.of(),
        named.stream().map(UnitEntity::name).collect(Collectors.toSet()));
  }

  @Override
  boolean isAnyAbsent(FleetClient client, List<String> missing) {
    missing.forEach(unit -> output().problem("Unit " + unit + " does not exist."));
    return true;
  }

  @Override
  Listing<UnitEntity> listing(UnaryOperator<String> machine) {
    return new Listing<UnitEntity>()
        .with("unit", UnitEntity::name)
        .with("hash", unit -> ListUnitsCommand.hash(UnitReader.file(unit).hash(), look.full))
        .with("dstate", UnitEntity::desiredState)
        .with("state", unit -> UnitReader.isGlobal(unit) ? "" : unit.currentState())
        .with("target", unit -> target(unit, machine))
        .with("tmachine", unit -> target(unit, machine))
        .with("desc", unit -> UnitReader.file(unit).description().orElse(""))
        .with("global", unit -> Boolean.toString(UnitReader.isGlobal(unit)))
        .with("require", ListUnitFilesCommand::require)
        .usual("unit,hash,dstate,state,target")
        .wide("unit,hash,dstate,state,target,require,desc")
        .entity(unit -> unit);
  }

  /** Requirements on machines beside those in the unit's file. */
  static String require(UnitEntity unit) {
    return String.join(", ", unit.require());
  }

  private static String target(UnitEntity unit, UnaryOperator<String> shown) {
    if (UnitReader.isGlobal(unit)) {
      return "global";
    }
    String machine = unit.machineID();
    return machine.isEmpty() ? "" : shown.apply(machine);
  }
}
