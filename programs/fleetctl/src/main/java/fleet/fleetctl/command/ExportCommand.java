package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.ExportDirectory;
import fleet.fleetctl.unit.ExportedUnit;
import fleet.fleetctl.unit.UnitProblemException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes the units of the cluster as files. */
@Command(
    name = "export",
    header = "Write the units of the cluster as files that apply reads",
    customSynopsis = {"[--replace] DIRECTORY [UNIT...]", "[- [UNIT...]]"},
    description = {
      "Writes a file for each unit into DIRECTORY, which is made if it is not there, or all of them",
      "to standard output, each below a line \"# unit: NAME\". The first line of each file says the",
      "state of the unit, so that \"fleetctl apply\" of what was just written changes nothing. UNIT",
      "is a name, or a pattern in quotes: 'web@*'. A file that is there with another text stays as",
      "it is, unless --replace is given; a link is never written to."
    },
    exitCodeList = {
      "0:all units were written",
      "1:a file is there with another text, a text may not be read, or there is no such unit"
    },
    footer = {
      "fleetctl export shop/ 'shop-*'",
      "fleetctl export --replace shop/",
      "fleetctl export >all.units"
    })
final class ExportCommand extends UnitsCommand {

  @Option(names = "--replace", description = "Overwrite files that have another text.")
  boolean replace;

  @Override
  int run() throws CommandException, FleetException, UnitProblemException {
    String to = units.isEmpty() ? "-" : units.getFirst();
    units = units.isEmpty() ? units : units.subList(1, units.size());
    var filter = new UnitNameFilter(new HashSet<>(namesBesidePatterns()), patterns());
    List<UnitEntity> chosen = chosen(client(), filter);
    return to.equals("-")
        ? toStream(output(), chosen)
        : toDirectory(
            output(), to, new ExportDirectory(session().directory().resolve(to), replace), chosen);
  }

  private static List<UnitEntity> chosen(FleetClient client, UnitNameFilter filter)
      throws CommandException, FleetException {
    List<UnitEntity> all = filter.isEmpty() ? client.units() : client.unitsLike(filter.texts());
    List<UnitEntity> chosen =
        all.stream()
            .filter(unit -> filter.matches(unit.name()))
            .sorted(Comparator.comparing(UnitEntity::name))
            .toList();
    List<String> missing =
        filter.missing(chosen.stream().map(UnitEntity::name).collect(Collectors.toSet()));
    if (!missing.isEmpty() || (chosen.isEmpty() && !filter.isEmpty())) {
      throw CommandException.failed(
          "Error: there is no unit "
              + String.join(", ", missing.isEmpty() ? filter.texts() : missing));
    }
    return client.withTexts(chosen);
  }

  private static int toStream(Output output, List<UnitEntity> units) {
    boolean whole = true;
    for (UnitEntity unit : units) {
      try {
        output.text(ExportedUnit.of(unit).inStream());
      } catch (UnitProblemException e) {
        output.problem("Error: " + e.getMessage());
        whole = false;
      }
    }
    return whole ? ExitCode.OK : ExitCode.FAILED;
  }

  private static int toDirectory(
      Output output, String to, ExportDirectory directory, List<UnitEntity> units) {
    Map<ExportDirectory.Written, Integer> counts = new EnumMap<>(ExportDirectory.Written.class);
    int written = 0;
    for (UnitEntity unit : units) {
      try {
        counts.merge(directory.write(ExportedUnit.of(unit)), 1, Integer::sum);
        written++;
      } catch (UnitProblemException e) {
        output.problem("Error: " + e.getMessage());
      }
    }
    List<String> parts = new ArrayList<>();
    counts.forEach((kind, count) ->
        parts.add(
            count
                + switch (kind) {
                  case NEW -> " new";
                  case SAME -> " the same";
                  case REPLACED -> " replaced";
                }));
    output.line(
        "%s in %s%s"
            .formatted(
                ApplyText.units(written),
                to,
                parts.isEmpty() ? "" : ": " + String.join(", ", parts)));
    return written == units.size() ? ExitCode.OK : ExitCode.FAILED;
  }
}
