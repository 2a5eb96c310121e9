package fleet.core.requirements;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Requirements that have no effect, as they do not stand below {@code [X-Fleet]}. */
final class SectionRules {

  /** systemd has one of the same name below {@code [Unit]}, and means something else by it. */
  private static final String CONFLICTS = "Conflicts";

  private static final Set<String> OF_SYSTEMD =
      Set.of(
          "Unit",
          "Install",
          "Service",
          "Socket",
          "Mount",
          "Automount",
          "Swap",
          "Path",
          "Timer",
          "Slice",
          "Scope",
          "Device");

  private final UnitFile file;

  SectionRules(UnitFile file) {
    this.file = file;
  }

  void check() throws InvalidRequirementsException {
    for (UnitOption option : file.options()) {
      String section = option.section();
      if (!FleetSection.isPartOf(option) && letters(section).equals("xfleet")) {
        throw new InvalidRequirementsException(
            "section [" + section + "] has no effect: did you mean [X-Fleet]?");
      }
      Optional<String> meant = fleetOption(option.name());
      if (OF_SYSTEMD.contains(section) && meant.isPresent()) {
        throw new InvalidRequirementsException(
            "%s= has no effect in section [%s]: write %s= below [X-Fleet]"
                .formatted(option.name(), section, meant.get()));
      }
    }
  }

  /**
   * The sections that may have been meant to be {@code [X-Fleet]}, as others may have their own.
   */
  List<String> doubtful() {
    return file.options().stream()
        .filter(option -> !FleetSection.isPartOf(option))
        .map(UnitOption::section)
        .distinct()
        .filter(section -> OptionNames.distance(letters(section), "xfleet") <= 2)
        .toList();
  }

  private static String letters(String section) {
    return section.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  /** Options of systemd's sections that are nearly fleet's, each with the one that was meant. */
  List<String> misspelt() {
    List<String> texts = new ArrayList<>();
    for (UnitOption option : file.options()) {
      Optional<String> meant = OptionNames.nearest(option.name());
      if (OF_SYSTEMD.contains(option.section())
          && meant.isPresent()
          && !OptionNames.KNOWN.contains(option.name())) {
        texts.add(
            "%s= has no effect in section [%s]; did you mean %s= below [X-Fleet]?"
                .formatted(option.name(), option.section(), meant.get()));
      }
    }
    return texts;
  }

  private static Optional<String> fleetOption(String name) {
    return OptionNames.KNOWN.stream()
        .filter(known -> known.equalsIgnoreCase(name) && !known.equals(CONFLICTS))
        .findFirst();
  }
}
