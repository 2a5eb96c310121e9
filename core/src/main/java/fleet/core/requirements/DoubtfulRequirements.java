package fleet.core.requirements;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Requirements that are allowed and were probably meant to be something else, in words for people.
 */
final class DoubtfulRequirements {

  private static final Pattern MACHINE_ID = Pattern.compile("[0-9a-f]{32}|[0-9a-f]{8}|.*%.*");

  private final UnitFile file;
  private final FleetSection section;
  private final List<String> texts = new ArrayList<>();

  DoubtfulRequirements(UnitFile file) {
    this.file = file;
    this.section = new FleetSection(file, UnaryOperator.identity());
  }

  List<String> texts() {
    addUnknownOptions();
    addSections();
    addMachineIds();
    addMetadata();
    addAcceptingSocket();
    return List.copyOf(texts);
  }

  /** In fleet 1.0's words. */
  private void addUnknownOptions() {
    for (String key : section.unknownKeys()) {
      texts.add(
          "unrecognized requirement in [X-Fleet] section: \""
              + key
              + "\""
              + OptionNames.nearest(key).map(near -> "; did you mean " + near + "?").orElse(""));
    }
  }

  private void addSections() {
    for (String doubtful : new SectionRules(file).doubtful()) {
      texts.add("section [" + doubtful + "] has no effect; did you mean [X-Fleet]?");
    }
    for (UnitOption option : file.options()) {
      if (option.name().equals("Conflicts") && option.section().equals("Service")) {
        texts.add("Conflicts= has no effect in section [Service]; did you mean [X-Fleet]?");
      }
    }
  }

  private void addMachineIds() {
    for (String id : section.machineIds()) {
      if (!MACHINE_ID.matcher(id).matches()) {
        texts.add(
            "MachineID \""
                + id
                + "\" is no id of a machine: expect 32 digits from 0 to f, or the first 8");
      }
    }
  }

  /** A machine's configuration has commas between its metadata, and drops blanks around it. */
  private void addMetadata() {
    for (String entry : section.metadataEntries()) {
      if (entry.contains(",")) {
        texts.add(
            "MachineMetadata \""
                + entry
                + "\" is one value with a comma in it; for any of several, give each a line");
      } else if (entry.matches(".*(\\s=|=\\s).*")) {
        texts.add(
            "MachineMetadata \"" + entry + "\" has a blank beside the \"=\", and no machine's has");
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
