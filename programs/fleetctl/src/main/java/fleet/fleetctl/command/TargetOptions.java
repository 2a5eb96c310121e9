package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineSelector;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.client.UnknownMachineException;
import fleet.fleetctl.unit.UnitArgument;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The machine to go to: by a flag, by a unit that it has, or by the first word of the line. */
final class TargetOptions {

  private static final String UNABLE = "Unable to proceed: ";

  @Option(
      names = "--machine",
      paramLabel = "MACHINE",
      defaultValue = "",
      description = "The machine: its hostname, id, address or the beginning of its id.")
  String machine = "";

  @Option(
      names = "--unit",
      paramLabel = "UNIT",
      defaultValue = "",
      description = "The machine that this unit is on.")
  String unit = "";

  /** Refuses lines that name no target, or two. */
  void check(List<String> words) throws CommandException {
    if (!machine.isEmpty() && !unit.isEmpty()) {
      throw CommandException.failed(
          "Both machine and unit flags provided, please specify only one.");
    }
    if (machine.isEmpty() && unit.isEmpty() && words.isEmpty()) {
      throw CommandException.failed(UNABLE + "one machine or unit must be provided");
    }
  }

  /** The id of the machine. Takes the first word from the line, if no flag names the target. */
  String id(Path directory, FleetClient client, List<MachineEntity> there, List<String> words)
      throws CommandException, FleetException {
    MachineSelector machines = new MachineSelector(there);
    if (!machine.isEmpty()) {
      return byName(machines, machine);
    }
    if (!unit.isEmpty()) {
      String name = UnitArgument.of(unit, directory).name();
      return placed(client.unit(name).orElseThrow(() -> unable("unit does not exist: " + name)));
    }
    String word = words.removeFirst();
    return either(machines, word, client.unit(UnitArgument.of(word, directory).name()));
  }

  private static String either(MachineSelector machines, String word, Optional<UnitEntity> called)
      throws CommandException {
    Optional<String> having = called.map(UnitEntity::machineID).filter(id -> !id.isEmpty());
    Optional<String> named;
    String why = "";
    try {
      named = Optional.of(machines.id(word)).filter(machines::knows);
    } catch (UnknownMachineException e) {
      named = Optional.empty();
      why = ": " + e.getMessage();
    }
    if (named.isPresent() && having.isPresent()) {
      throw unable(
          ("ambiguous argument, both machine and unit found for `%s`.\n"
                  + "Please use flag `--machine` or `--unit` to refine the search")
              .formatted(word));
    }
    if (named.isEmpty() && having.isEmpty()) {
      if (called.isPresent()) {
        return placed(called.get());
      }
      throw unable("could not find matching unit or machine" + why);
    }
    return named.or(() -> having).orElseThrow();
  }

  private static String byName(MachineSelector machines, String word) throws CommandException {
    try {
      return machines.id(word);
    } catch (UnknownMachineException e) {
      throw unable(String.valueOf(e.getMessage()));
    }
  }

  private static String placed(UnitEntity unit) throws CommandException {
    if (UnitReader.isGlobal(unit)) {
      throw unable("global units unsupported: choose one of its machines by --machine");
    }
    if (unit.machineID().isEmpty()) {
      throw unable(StatusCommand.notLoaded(unit.name(), unit));
    }
    return unit.machineID();
  }

  private static CommandException unable(String why) {
    return CommandException.failed(UNABLE + why);
  }
}
