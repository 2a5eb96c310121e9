package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.unit.UnitPreparation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  static void verify(FleetClient client, List<UnitPreparation> units, List<String> require)
      throws FleetException {
    if (require.isEmpty()) {
      return;
    }
    List<String> names = new ArrayList<>();
    for (UnitPreparation unit : units) {
      names.add(unit.name());
    }
    Map<String, UnitEntity> found = client.units(names);
    for (String name : names) {
      UnitEntity unit = found.get(name);
      if (unit != null && !unit.desiredState().equals("inactive") && unit.require().isEmpty()) {
        throw new ApiException(
            200,
            "fleetd at "
                + client.endpoint()
                + " is too old for --require, and created "
                + name
                + " without it: unload it, and upgrade fleetd");
      }
    }
  }
}
