package fleet.core.requirements;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The options of {@code [X-Fleet]}. */
final class OptionNames {

  static final Set<String> KNOWN =
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
          "Replaces",
          "Affinity",
          "Spread",
          "Ports",
          "SharedPorts",
          "MaxPerMachine",
          "Strategy",
          "Memory",
          "Cores",
          "Disk");

  private OptionNames() {}

  /** The option that was probably meant: a third of the letters may be wrong. */
  static Optional<String> nearest(String option) {
    return KNOWN.stream()
        .filter(known -> !known.startsWith("X-") || option.startsWith("X-"))
        .filter(known -> distance(option, known) <= Math.max(1, known.length() / 3))
        .min(
            Comparator.<String>comparingInt(known -> distance(option, known))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** How many letters must be put in, left out or replaced, large or small. */
  static int distance(String from, String to) {
    String one = from.toLowerCase(Locale.ROOT);
    String other = to.toLowerCase(Locale.ROOT);
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
