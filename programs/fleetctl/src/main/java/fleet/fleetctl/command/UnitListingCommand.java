package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.entities.UnreportedEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.command.WatchedListing.Found;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Mixin;

/** Lists things of units, once or whenever they change. */
abstract class UnitListingCommand<T> extends UnitsCommand {

  @Mixin ListingOptions look = new ListingOptions();

  @Mixin UnitFilterOptions filter = new UnitFilterOptions();

  /**
   * The units, states and columns that are asked for.
   *
   * @param states those that are shown; empty for all
   */
  record Request(ListingView view, Set<String> states, UnitNameFilter names) {}

  /**
   * The things to be shown.
   *
   * @param named the units of which there is any thing
   */
  record Shown<T>(Found<T> list, List<UnreportedEntity> unreported, Set<String> named) {}

  @Override
  final int run() throws CommandException {
    ListingView view = look.view(session(), listing(UnaryOperator.identity()));
    Set<String> states = states();
    filter.check(view);
    var request =
        new Request(
            view, states, new UnitNameFilter(Set.copyOf(namesBesidePatterns()), patterns()));
    warn(view);
    try {
      return list(onlooker(), request);
    } catch (FleetException e) {
      throw CommandException.failed(
          "Error retrieving list of units from repository: " + e.getMessage());
    }
  }

  private int list(FleetClient client, Request request) throws CommandException, FleetException {
    if (filter.watch) {
      return WatchedListing.run(
          session(),
          client,
          request.view(),
          request.names().texts(),
          List.of(),
          () -> find(client, request).list());
    }
    Shown<T> shown = find(client, request);
    look.print(output(), request.view(), shown.list().listing().get(), shown.list().things());
    MachineNotes.unlisted(shown.unreported(), look.full).forEach(output()::problem);
    List<String> missing = request.names().missing(shown.named());
    return missing.isEmpty() || !isAnyAbsent(client, missing) ? ExitCode.OK : ExitCode.FAILED;
  }

  private Shown<T> find(FleetClient client, Request request)
      throws CommandException, FleetException {
    List<MachineEntity> known = filter.choosesMachines() ? client.machines().list() : List.of();
    return find(client, request, known, filter.machines(known));
  }

  /** A machine for the table. */
  final UnaryOperator<String> shown(Request request, List<MachineEntity> known) {
    MachineNames machines = new MachineNames(known);
    return id -> look.shown(request.view(), machines, id);
  }

  /** The states that are asked for. */
  abstract Set<String> states() throws CommandException;

  /** Warns of former names of fields. */
  void warn(ListingView view) {}

  /**
   * @param machine the name of a machine by its id
   */
  abstract Listing<T> listing(UnaryOperator<String> machine);

  /**
   * Reads the things.
   *
   * @param known the machines, if they were needed
   * @param on the ids of the chosen ones, if machines are chosen
   */
  abstract Shown<T> find(
      FleetClient client, Request request, List<MachineEntity> known, Set<String> on)
      throws CommandException, FleetException;

  /** Prints which units are not shown, and why; true if one of them does not exist. */
  abstract boolean isAnyAbsent(FleetClient client, List<String> missing) throws FleetException;
}
