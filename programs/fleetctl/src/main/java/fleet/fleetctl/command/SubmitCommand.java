package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.unit.UnitPreparation;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Creates units without placing them. */
@Command(
    name = "submit",
    header = "Upload units to the cluster without placing them",
    customSynopsis = {
      "[--replace] [--strict] UNIT|DIRECTORY...",
      "[--replace] [--strict] [--name=UNIT] -"
    },
    description = {
      "Each unit is read from a file, or made from its template in the cluster or beside the",
      "file. Units that already exist stay as they are.",
      "",
      "A DIRECTORY, such as shop/ or ., means the unit files in it. - is standard input, where each",
      "unit begins with a line \"# unit: NAME\"; a single one may be named with --name."
    },
    exitCodeListHeading = "",
    exitCodeList = {"0:all units are in the cluster", "1:a unit could not be created"},
    footer = {
      "fleetctl submit web.service",
      "fleetctl submit --replace web@.service",
      "fleetctl submit shop/",
      "fleetctl submit --name=web.service - <web"
    })
final class SubmitCommand extends UnitsCommand {

  @Mixin CreateOptions create = new CreateOptions();
  @Mixin InputOptions input = new InputOptions();

  @Override
  int run() throws CommandException {
    FleetClient client = client();
    CreateUnits creating = new CreateUnits(client, output());
    List<UnitPreparation> prepared =
        creating.prepare(
            files(session(), units, input, CreateUnits.FAILED),
            create,
            List.of("inactive"),
            List.of());
    creating.put(prepared, "inactive");
    return ExitCode.OK;
  }
}
