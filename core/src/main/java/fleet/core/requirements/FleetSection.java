package fleet.core.requirements;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The values of a unit's {@code [X-Fleet]} section, split and expanded. */
final class FleetSection {

  private static final String NAME = "X-Fleet";

  private static final Set<String> KNOWN_KEYS =
      Set.of(
          "MachineID",
          "X-ConditionMachineID",
          "X-ConditionMachineBootID",
          "MachineOf",
          "X-ConditionMachineOf",
          "MachineMetadata",
          "X-ConditionMachineMetadata",
          "Conflicts",
          "X-Conflicts",
          "Global",
          "Replaces");

  private final UnitFile file;
  private final UnaryOperator<String> expansion;

  FleetSection(UnitFile file, UnaryOperator<String> expansion) {
    this.file = file;
    this.expansion = expansion;
  }

  static boolean isPartOf(UnitOption option) {
    return option.section().equals(NAME);
  }

  boolean isEmpty() {
    return !file.hasSection(NAME);
  }

  /** All values of the keys, those of one key after those of the other; empty ones left out. */
  List<String> values(String... keys) {
    return Arrays.stream(keys)
        .flatMap(key -> file.values(NAME, key).stream())
        .flatMap(value -> split(value).stream())
        .map(expansion)
        .filter(value -> !value.isEmpty())
        .toList();
  }

  List<String> unknownKeys() {
    return file.options().stream()
        .filter(FleetSection::isPartOf)
        .map(UnitOption::name)
        .filter(key -> !KNOWN_KEYS.contains(key))
        .distinct()
        .toList();
  }

  /** Several quoted values may share a line; a value without quotes at both ends is one. */
  private static List<String> split(String raw) {
    String value = raw.replace("\\\n", " ").strip();
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
