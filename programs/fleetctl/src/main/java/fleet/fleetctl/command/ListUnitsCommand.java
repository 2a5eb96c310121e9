package fleet.fleetctl.command;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.AllStates;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.table.InvalidFieldsException;
import fleet.fleetctl.table.Listing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists what the machines say of their units. */
@Command(
    name = "list-units",
    header = "List the units on machines, with their systemd states",
    customSynopsis = "[-l|--full] [--no-legend] [--fields=LIST]",
    description = {
      "One line for each unit on each machine. Units that are only submitted are in",
      "list-unit-files. Standard error says if machines do not report their units at the moment,",
      "or if the list may be old because fleetd does not reach etcd.",
      "Fields: unit, load, active, sub, machine, hash, require."
    },
    exitCodeList = {"0:the units were listed", "1:fleetd could not be asked"},
    footer = {"fleetctl list-units", "fleetctl list-units --no-legend --fields=unit,machine"})
final class ListUnitsCommand extends FleetCommand {

  private static final int SHORT_HASH = 7;

  @Mixin ListOptions list = new ListOptions();

  @Option(
      names = "--fields",
      paramLabel = "LIST",
      defaultValue = "unit,machine,active,sub",
      description = "The columns, separated by commas.")
  String fields = "";

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    try {
      List<String> names = listing(new MachineNames(List.of()), Map.of()).names(fields);
      boolean namesMachines = names.contains("machine");
      FleetClient client = onlooker(session);
      AllStates all = client.states();
      List<StateEntity> states = new ArrayList<>(all.states());
      states.sort(
          Comparator.comparing((StateEntity state) -> state.name())
              .thenComparing(state -> state.machineID()));
      MachineNames machines =
          new MachineNames(
              namesMachines && !states.isEmpty() ? client.machines().list() : List.of());
      Map<String, String> require = names.contains("require") ? require(client) : Map.of();
      session.output().text(listing(machines, require).render(states, fields, !list.noLegend));
      MachineNotes.unlisted(all.unreported(), list.full).forEach(session.output()::problem);
      return ExitCode.OK;
    } catch (InvalidFieldsException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()));
    } catch (FleetException e) {
      throw CommandException.failed(
          "Error retrieving list of units from repository: " + e.getMessage());
    }
  }

  /** Requirements on machines beside those in units' files, by unit. */
  private static Map<String, String> require(FleetClient client) throws FleetException {
    Map<String, String> require = new HashMap<>();
    for (UnitEntity unit : client.units()) {
      require.put(unit.name(), ListUnitFilesCommand.require(unit));
    }
    return require;
  }

  private Listing<StateEntity> listing(MachineNames machines, Map<String, String> require) {
    return new Listing<StateEntity>()
        .with("unit", state -> state.name())
        .with("load", state -> state.systemdLoadState())
        .with("active", state -> state.systemdActiveState())
        .with("sub", state -> state.systemdSubState())
        .with("machine", state -> machines.of(state.machineID(), list.full))
        .with("hash", state -> hash(state.hash(), list.full))
        .with("require", state -> require.getOrDefault(state.name(), ""));
  }

  static String hash(String hash, boolean full) {
    return full || hash.length() <= SHORT_HASH ? hash : hash.substring(0, SHORT_HASH);
  }
}
