package fleet.fleetctl.command;

import fleet.core.unit.UnitName;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitPreparation;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Requirements on machines beside those in unit files. */
final class RequireOptions {

  @Option(
      names = "--require",
      paramLabel = "OPTION=VALUE",
      description = "Add a requirement, as in [X-Fleet], until the unit is unloaded; repeatable.")
  List<String> require = List.of();

  /** The given requirements; the server validates them. */
  List<String> checked() throws CommandException {
    for (String one : require) {
      if (one.indexOf('=') < 1) {
        throw CommandException.usage(
            "Error: --require \""
                + one
                + "\": expect OPTION=VALUE, such as MachineMetadata=region=eu");
      }
    }
    return require;
  }

  /** Checks that units got their requirements: an older fleetd ignores them silently. */
  static void verify(FleetClient client, Output output, List<UnitPreparation> units)
      throws FleetException {
    List<UnitPreparation> asking = units.stream().filter(unit -> !unit.asked().isEmpty()).toList();
    if (asking.isEmpty()) {
      return;
    }
    Map<String, UnitEntity> found =
        client.units(asking.stream().map(UnitPreparation::name).toList());
    for (UnitPreparation one : asking) {
      UnitEntity unit = found.get(one.name());
      if (unit != null && !unit.desiredState().equals("inactive") && unit.require().isEmpty()) {
        refuseOrTell(client, output, one);
      }
    }
  }

  private static void refuseOrTell(FleetClient client, Output output, UnitPreparation unit)
      throws ApiException {
    String tooOld = "fleetd at " + client.endpoint() + " is too old ";
    if (!unit.require().isEmpty()) {
      throw new ApiException(
          200,
          tooOld
              + "for --require, and created "
              + unit.name()
              + " without it: unload it, and upgrade fleetd");
    }
    output.problem(
        "WARN Unit %s: %sto keep it on the machine of %s: write %s below [X-Fleet] in its file"
            .formatted(
                unit.name(),
                tooOld,
                unit.machineOf().stream().map(UnitName::value).collect(Collectors.joining(" and ")),
                String.join(", ", unit.asked())));
  }
}
