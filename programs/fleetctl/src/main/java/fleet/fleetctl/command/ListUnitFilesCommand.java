package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.table.InvalidFieldsException;
import fleet.fleetctl.table.Listing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the units of the cluster. */
@Command(
    name = "list-unit-files",
    header = "List all units of the cluster, with their desired states",
    customSynopsis = "[-l|--full] [--no-legend] [--fields=LIST]",
    description = {"Fields: unit, hash, dstate, state, target, desc, global, require."},
    exitCodeList = {"0:the units were listed", "1:fleetd could not be asked"},
    footer = {
      "fleetctl list-unit-files",
      "fleetctl list-unit-files --no-legend --fields=unit,dstate,state"
    })
final class ListUnitFilesCommand extends FleetCommand {

  @Mixin ListOptions list = new ListOptions();

  @Option(
      names = "--fields",
      paramLabel = "LIST",
      defaultValue = "unit,hash,dstate,state,target",
      description = "The columns, separated by commas.")
  String fields = "";

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    try {
      List<String> names = listing(new MachineNames(List.of())).names(fields);
      if (names.contains("tmachine")) {
        session
            .output()
            .problem("WARNING: The \"tmachine\" field is deprecated. Use \"target\" instead");
      }
      FleetClient client = onlooker(session);
      List<UnitEntity> units = new ArrayList<>(client.units());
      units.sort(Comparator.comparing(UnitEntity::name));
      MachineNames machines = machines(client, names, units);
      session.output().text(listing(machines).render(units, fields, !list.noLegend));
      return ExitCode.OK;
    } catch (InvalidFieldsException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()));
    } catch (FleetException e) {
      throw CommandException.failed(
          "Error retrieving list of units from repository: " + e.getMessage());
    }
  }

  private static MachineNames machines(
      FleetClient client, List<String> names, List<UnitEntity> units) throws FleetException {
    boolean shown = names.contains("target") || names.contains("tmachine");
    boolean placed = units.stream().anyMatch(unit -> !unit.machineID().isEmpty());
    return new MachineNames(shown && placed ? client.machines().list() : List.of());
  }

  private Listing<UnitEntity> listing(MachineNames machines) {
    return new Listing<UnitEntity>()
        .with("unit", UnitEntity::name)
        .with("hash", unit -> ListUnitsCommand.hash(UnitReader.file(unit).hash(), list.full))
        .with("dstate", UnitEntity::desiredState)
        .with("state", unit -> UnitReader.isGlobal(unit) ? "" : unit.currentState())
        .with("target", unit -> target(unit, machines))
        .with("tmachine", unit -> target(unit, machines))
        .with("desc", unit -> UnitReader.file(unit).description().orElse(""))
        .with("global", unit -> Boolean.toString(UnitReader.isGlobal(unit)))
        .with("require", ListUnitFilesCommand::require);
  }

  /** Requirements on machines beside those in the unit's file. */
  static String require(UnitEntity unit) {
    return String.join(", ", unit.require());
  }

  private String target(UnitEntity unit, MachineNames machines) {
    if (UnitReader.isGlobal(unit)) {
      return "global";
    }
    String machine = unit.machineID();
    return machine.isEmpty() ? "" : machines.of(machine, list.full);
  }
}
