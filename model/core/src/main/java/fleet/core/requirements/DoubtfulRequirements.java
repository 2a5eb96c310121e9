package fleet.core.requirements;

import fleet.core.machine.Reservation;
import fleet.core.unit.Specifiers;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Valid requirements that were probably meant otherwise, with messages for people. */
final class DoubtfulRequirements {

  private static final Pattern MACHINE_ID = Pattern.compile("[0-9a-f]{32}|[0-9a-f]{8}");

  /** Those of fleet itself; an engine may have others. */
  private static final List<String> STRATEGIES =
      List.of("least-loaded", "spread", "binpack", "random", "bid");

  /** Options of which one value counts, and which. */
  private static final List<String> FIRST_COUNTS = List.of("MachineID");

  private static final List<String> LAST_COUNTS =
      List.of("Global", "MaxPerMachine", "State", "Strategy", "Memory", "Cores", "Disk");

  private final UnitName name;
  private final UnitFile file;
  private final FleetSection section;
  private final List<String> texts = new ArrayList<>();

  DoubtfulRequirements(UnitName name, UnitFile file) {
    this.name = name;
    this.file = file;
    this.section = new FleetSection(file, UnaryOperator.identity());
  }

  List<String> texts() {
    addUnknownOptions();
    addSections();
    addMachineIds();
    section.metadataEntries().stream()
        .flatMap(entry -> new DoubtfulMetadata(entry).text().stream())
        .forEach(texts::add);
    addStrategies();
    addRepeated(FIRST_COUNTS, "first");
    addRepeated(LAST_COUNTS, "last");
    texts.addAll(Reservation.doubts(file));
    texts.addAll(new DoubtfulNames(name, file).texts());
    addAcceptingSocket();
    return List.copyOf(texts);
  }

  /** In fleet 1.0's words. */
  private void addUnknownOptions() {
    for (String key : section.unknownKeys()) {
      texts.add(
          "unrecognized requirement in [X-Fleet] section: \"%s\"%s"
              .formatted(
                  key, OptionNames.nearest(key).map("; did you mean %s?"::formatted).orElse("")));
    }
  }

  private void addSections() {
    SectionRules rules = new SectionRules(file);
    for (String doubtful : rules.doubtful()) {
      texts.add("section [" + doubtful + "] has no effect; did you mean [X-Fleet]?");
    }
    texts.addAll(rules.misspelt());
    for (UnitOption option : file.options()) {
      if (option.name().equals("Conflicts") && option.section().equals("Service")) {
        texts.add("Conflicts= has no effect in section [Service]; did you mean [X-Fleet]?");
      }
    }
  }

  private void addMachineIds() {
    for (String id : section.machineIds()) {
      if (!id.contains("%") && !MACHINE_ID.matcher(id).matches()) {
        texts.add(
            "MachineID \"%s\" is no id of a machine: expect 32 digits from 0 to f, or the first 8"
                .formatted(id));
      }
    }
  }

  private void addStrategies() {
    for (String strategy : section.values("Strategy")) {
      if (!Specifiers.isIn(strategy) && !STRATEGIES.contains(strategy)) {
        texts.add(
            "Strategy \"%s\" is none of fleet's: there are %s"
                .formatted(strategy, String.join(", ", STRATEGIES)));
      }
    }
  }

  private void addRepeated(List<String> options, String which) {
    for (String option : options) {
      long different = section.values(option).stream().distinct().count();
      if (different > 1) {
        texts.add(option + "= is given several times, and the " + which + " alone counts");
      }
    }
  }

  private void addAcceptingSocket() {
    if (section.isTrueOfSocket("Accept")) {
      texts.add(
          "Accept=yes needs its template on the machine, and fleet places no templates: unless the"
              + " machine has the template already, the first connection ends the socket");
    }
  }
}
