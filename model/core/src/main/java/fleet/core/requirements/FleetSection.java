package fleet.core.requirements;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** The values of a unit's {@code [X-Fleet]} section, split and expanded. */
final class FleetSection {

  private static final String NAME = "X-Fleet";

  private final UnitFile file;
  private final UnaryOperator<String> expansion;

  FleetSection(UnitFile file, UnaryOperator<String> expansion) {
    this.file = file;
    this.expansion = expansion;
  }

  static boolean isPartOf(UnitOption option) {
    return option.section().equals(NAME);
  }

  /** A line of the section. */
  static UnitOption option(String name, String value) {
    return new UnitOption(NAME, name, value);
  }

  /** Whether it says what a socket listens on, as {@link PortClaims} reads it. */
  static boolean isListening(UnitOption option) {
    return option.section().equals("Socket") && option.name().startsWith("Listen");
  }

  boolean isEmpty() {
    return !file.hasSection(NAME);
  }

  /** Values of the key that are separated by commas or blanks. */
  List<String> words(String key) {
    List<String> values = values(key);
    return values.isEmpty()
        ? values
        : values.stream()
            .flatMap(value -> Arrays.stream(value.split("[,\\s]+")))
            .filter(word -> !word.isEmpty())
            .toList();
  }

  /** The value that counts of a key that has but one: the last. */
  Optional<String> last(String key) {
    List<String> values = values(key);
    return values.isEmpty() ? Optional.empty() : Optional.of(values.getLast());
  }

  /**
   * The addresses that a socket of this unit listens on by one option. An empty value of any option
   * by which sockets listen takes back all addresses before it.
   */
  List<String> listens(String key) {
    if (!file.hasSection("Socket")) {
      return List.of();
    }
    List<String> listens = new ArrayList<>();
    for (UnitOption option : file.options()) {
      if (isListening(option)) {
        String value = option.valueInOneLine();
        if (value.isEmpty()) {
          listens.clear();
        } else if (option.name().equals(key)) {
          listens.add(expansion.apply(value));
        }
      }
    }
    return listens;
  }

  /** The value that counts of an option of {@code [Socket]} that has but one; empty for none. */
  String lastOfSocket(String option) {
    List<String> written = file.values("Socket", option);
    return written.isEmpty() ? "" : expansion.apply(written.getLast()).strip();
  }

  /** Whether an option of {@code [Socket]} is true, in systemd's words. */
  boolean isTrueOfSocket(String option) {
    return file.isTrue("Socket", option);
  }

  /** All values of the keys, those of one key after those of the other; empty ones left out. */
  List<String> values(String... keys) {
    // Most of what a unit may ask it does not.
    List<String> values = List.of();
    for (String key : keys) {
      for (String written : file.values(NAME, key)) {
        values = values.isEmpty() ? new ArrayList<>() : values;
        for (String value : split(written)) {
          String meant = expansion.apply(value);
          if (!meant.isEmpty()) {
            values.add(meant);
          }
        }
      }
    }
    return values;
  }

  /** The first counts. */
  List<String> machineIds() {
    return values("MachineID", "X-ConditionMachineID", "X-ConditionMachineBootID");
  }

  List<String> metadataEntries() {
    return values("MachineMetadata", "X-ConditionMachineMetadata");
  }

  /** Any of the values of a key, for every key; sorted. */
  Map<String, Set<String>> metadata() {
    Map<String, Set<String>> metadata = new TreeMap<>();
    for (String entry : metadataEntries()) {
      if (RequirementsRules.isMetadata(entry)) {
        int equals = entry.indexOf('=');
        metadata
            .computeIfAbsent(entry.substring(0, equals), key -> new TreeSet<>())
            .add(entry.substring(equals + 1));
      }
    }
    return metadata;
  }

  List<String> unknownKeys() {
    return file.options().stream()
        .filter(FleetSection::isPartOf)
        .map(UnitOption::name)
        .filter(key -> !OptionNames.KNOWN.contains(key))
        .distinct()
        .toList();
  }

  /** Several quoted values may share a line; a value without quotes at both ends is one. */
  private static List<String> split(String raw) {
    String value = raw.strip();
    if (value.length() < 2 || !value.startsWith("\"") || !value.endsWith("\"")) {
      return List.of(value);
    }
    List<String> values = new ArrayList<>();
    StringBuilder current = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && Character.isWhitespace(c)) {
        values.add(current.toString());
        current.setLength(0);
      } else {
        current.append(c);
      }
    }
    values.add(current.toString());
    return values;
  }
}
