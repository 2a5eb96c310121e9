package fleet.core.unit;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The units that a unit names in its file, and that systemd looks for when it starts the unit:
 * those that it requires or wants, and what a timer, path or socket starts.
 */
public final class Dependencies {

  private static final List<String> NEEDED = List.of("Requires", "Requisite", "BindsTo");

  private static final List<String> IN_A_SLICE =
      List.of("Service", "Socket", "Mount", "Swap", "Scope");

  private Dependencies() {}

  /**
   * In the order of the file, without the unit itself. Names that are none are passed over: systemd
   * does the same.
   */
  public static Set<UnitName> of(UnitName unit, UnitFile file) {
    Set<UnitName> names = new LinkedHashSet<>();
    for (String option : NEEDED) {
      for (String value : file.values("Unit", option)) {
        // Quotes are part of these names to systemd, unlike of those in [Install].
        names.addAll(names(unit, List.of(value.split("[ \t]+", -1))));
      }
    }
    for (String section : IN_A_SLICE) {
      last(names(unit, file.values(section, "Slice"))).ifPresent(names::add);
    }
    triggered(unit, file).ifPresent(names::add);
    names.remove(unit);
    return names;
  }

  /**
   * The unit that a timer, path or socket starts: systemd keeps a timer's first, a socket's last. A
   * socket that starts an instance for each connection needs none of them before.
   */
  public static Optional<UnitName> triggered(UnitName unit, UnitFile file) {
    Optional<UnitName> named;
    if (file.hasSection("Timer")) {
      named = names(unit, file.values("Timer", "Unit")).stream().findFirst();
    } else if (file.hasSection("Path")) {
      named = names(unit, file.values("Path", "Unit")).stream().findFirst();
    } else if (file.hasSection("Socket") && !file.isTrue("Socket", "Accept")) {
      named = last(names(unit, file.values("Socket", "Service")));
    } else {
      return Optional.empty();
    }
    return named.or(
        () -> names(unit, List.of(unit.withoutSuffix() + ".service")).stream().findFirst());
  }

  private static Optional<UnitName> last(List<UnitName> names) {
    return names.isEmpty() ? Optional.empty() : Optional.of(names.getLast());
  }

  /** Those that are names: systemd passes over others as well. */
  private static List<UnitName> names(UnitName unit, List<String> texts) {
    return texts.stream()
        .flatMap(text -> UnitName.parse(Specifiers.expand(unit, text)).stream())
        .toList();
  }
}
