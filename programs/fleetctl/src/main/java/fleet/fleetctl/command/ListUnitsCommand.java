package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnreportedEntity;
import fleet.fleetctl.client.AllStates;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.command.WatchedListing.Found;
import fleet.fleetctl.output.Ages;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.table.Comparators;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
final class ListUnitsCommand extends UnitsCommand {

  private static final int SHORT_HASH = 7;

  @Mixin ListingOptions look = new ListingOptions();

  @Mixin UnitFilterOptions filter = new UnitFilterOptions();

  @Option(names = "--failed", description = "The same as --state=failed.")
  boolean failed;

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    ListingView view = look.view(session, listing(UnaryOperator.identity(), Map.of()));
    Set<String> states = failed ? Set.of("failed") : filter.states(() -> SystemdStates.ALL);
    filter.check(view);
    UnitNameFilter names = new UnitNameFilter(Set.copyOf(namesBesidePatterns(session)), patterns());
    try {
      return list(session, onlooker(session), view, states, names);
    } catch (FleetException e) {
      throw CommandException.failed(
          "Error retrieving list of units from repository: " + e.getMessage());
    }
  }

  /**
   * The states that are to be shown.
   *
   * @param named the units of which there is any state
   */
  private record Shown(
      Found<StateEntity> list, List<UnreportedEntity> unreported, Set<String> named) {}

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
    MachineNotes.unlisted(shown.unreported(), look.full).forEach(output::problem);
    return missing(client, output, names, shown.named()) ? ExitCode.FAILED : ExitCode.OK;
  }

  private Shown find(FleetClient client, ListingView view, Set<String> states, UnitNameFilter names)
      throws CommandException, FleetException {
    List<MachineEntity> known = filter.choosesMachines() ? client.machines().list() : List.of();
    Set<String> on = filter.machines(known);
    AllStates all = client.states(names.texts());
    List<StateEntity> shown = new ArrayList<>();
    Set<String> named = new HashSet<>();
    for (StateEntity state : all.states()) {
      if (names.matches(state.name())) {
        named.add(state.name());
        if ((!filter.choosesMachines() || on.contains(state.machineID()))
            && (states.isEmpty() || isIn(states, state))) {
          shown.add(state);
        }
      }
    }
    shown.sort(Comparators.by(StateEntity::machineID));
    shown.sort(Comparators.by(StateEntity::name));
    if (view.needs("machine") && !shown.isEmpty() && known.isEmpty()) {
      known = client.machines().list();
    }
    MachineNames machines = new MachineNames(known);
    Map<String, String> require = view.needs("require") ? require(client, names) : Map.of();
    return new Shown(
        new Found<>(shown, () -> listing(id -> look.shown(view, machines, id), require)),
        all.unreported(),
        named);
  }

  private static boolean isIn(Set<String> states, StateEntity state) {
    return states.contains(state.systemdActiveState())
        || states.contains(state.systemdSubState())
        || states.contains(state.systemdLoadState());
  }

  /** Says which of the named units are on no machine, and whether one does not exist. */
  private static boolean missing(
      FleetClient client, Output output, UnitNameFilter names, Set<String> named)
      throws FleetException {
    List<String> missing = names.missing(named);
    Set<String> existing = missing.isEmpty() ? Set.of() : client.units(missing).keySet();
    for (String unit : missing) {
      output.problem(
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

  /**
   * The fields.
   *
   * @param shown a machine by its id
   */
  private Listing<StateEntity> listing(UnaryOperator<String> shown, Map<String, String> require) {
    Instant now = Instant.now();
    return new Listing<StateEntity>()
        .with("unit", state -> state.name())
        .with("load", state -> state.systemdLoadState())
        .with("active", state -> state.systemdActiveState())
        .with("sub", state -> state.systemdSubState())
        .with("machine", state -> shown.apply(state.machineID()))
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
