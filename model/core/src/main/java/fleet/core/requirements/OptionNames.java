package fleet.core.requirements;

import fleet.core.text.EditDistance;
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
          "State",
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
    return EditDistance.between(from.toLowerCase(Locale.ROOT), to.toLowerCase(Locale.ROOT));
  }
}
