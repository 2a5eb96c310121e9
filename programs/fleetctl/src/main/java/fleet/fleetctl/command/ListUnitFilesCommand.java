package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.command.WatchedListing.Found;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.table.Comparators;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
final class ListUnitFilesCommand extends UnitsCommand {

  private static final Set<String> STATES = Set.of("inactive", "loaded", "launched");

  @Mixin ListingOptions look = new ListingOptions();

  @Mixin UnitFilterOptions filter = new UnitFilterOptions();

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    ListingView view = look.view(session, listing(UnaryOperator.identity()));
    Set<String> states = filter.states(() -> STATES);
    filter.check(view);
    UnitNameFilter names = new UnitNameFilter(Set.copyOf(namesBesidePatterns(session)), patterns());
    if (view.needs("tmachine")) {
      session
          .output()
          .problem("WARNING: The \"tmachine\" field is deprecated. Use \"target\" instead");
    }
    try {
      return list(session, onlooker(session), view, states, names);
    } catch (FleetException e) {
      throw CommandException.failed(
          "Error retrieving list of units from repository: " + e.getMessage());
    }
  }

  /**
   * The units that are to be shown.
   *
   * @param missing names that were given, and that no unit has
   */
  private record Shown(Found<UnitEntity> list, List<String> missing) {}

  private int list(
      CommandEnvironment session,
      FleetClient client,
      ListingView view,
      Set<String> states,
      UnitNameFilter names)
      throws CommandException, FleetException {
    Output output = session.output();
    if (filter.watch) {
      return WatchedListing.run(
          session,
          client,
          view,
          names.texts(),
          List.of(),
          () -> find(client, view, states, names).list());
    }
    Shown shown = find(client, view, states, names);
    look.print(output, view, shown.list().listing().get(), shown.list().things());
    shown.missing().forEach(unit -> output.problem("Unit " + unit + " does not exist."));
    return shown.missing().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private Shown find(FleetClient client, ListingView view, Set<String> states, UnitNameFilter names)
      throws CommandException, FleetException {
    List<MachineEntity> known = filter.choosesMachines() ? client.machines().list() : List.of();
    Set<String> on = filter.machines(known);
    List<UnitEntity> named =
        client.unitsLike(names.texts()).stream()
            .filter(unit -> names.matches(unit.name()))
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
    if (placed && known.isEmpty() && (view.needs("target") || view.needs("tmachine"))) {
      known = client.machines().list();
    }
    MachineNames machines = new MachineNames(known);
    return new Shown(
        new Found<>(shown, () -> listing(id -> look.shown(view, machines, id))),
        names.missing(named.stream().map(UnitEntity::name).collect(Collectors.toSet())));
  }

  /**
   * The fields.
   *
   * @param shown a machine by its id
   */
  private Listing<UnitEntity> listing(UnaryOperator<String> shown) {
    return new Listing<UnitEntity>()
        .with("unit", UnitEntity::name)
        .with("hash", unit -> ListUnitsCommand.hash(UnitReader.file(unit).hash(), look.full))
        .with("dstate", UnitEntity::desiredState)
        .with("state", unit -> UnitReader.isGlobal(unit) ? "" : unit.currentState())
        .with("target", unit -> target(unit, shown))
        .with("tmachine", unit -> target(unit, shown))
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
