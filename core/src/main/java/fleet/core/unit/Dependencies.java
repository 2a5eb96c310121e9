package fleet.core.unit;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The units that a unit names in its file, and that systemd looks for when it starts the unit:
 * those that it requires or wants, and what a timer, path or socket starts.
 */
public final class Dependencies {

  private static final List<String> NEEDED = List.of("Requires", "Requisite", "BindsTo");

  private static final List<String> IN_A_SLICE =
      List.of("Service", "Socket", "Mount", "Swap", "Scope");

  /** By section, the option that names what such a unit starts. */
  private static final Map<String, String> STARTED =
      Map.of("Timer", "Unit", "Path", "Unit", "Socket", "Service");

  private Dependencies() {}

  /**
   * In the order of the file, without the unit itself. Names that are none are passed over: systemd
   * does the same.
   */
  public static Set<UnitName> of(UnitName unit, UnitFile file) {
    Set<UnitName> names = new LinkedHashSet<>();
    NEEDED.forEach(option -> add(file.values("Unit", option), unit, names));
    IN_A_SLICE.forEach(section -> add(file.values(section, "Slice"), unit, names));
    STARTED.forEach((section, option) -> addStarted(section, option, unit, file, names));
    names.remove(unit);
    return names;
  }

  private static void addStarted(
      String section, String option, UnitName unit, UnitFile file, Set<UnitName> names) {
    if (!file.hasSection(section) || acceptsEach(file)) {
      return;
    }
    List<String> named = file.values(section, option);
    add(named.isEmpty() ? List.of(unit.withoutSuffix() + ".service") : named, unit, names);
  }

  /** A socket that starts an instance for each connection, which is nothing to be there before. */
  private static boolean acceptsEach(UnitFile file) {
    List<String> accept = file.values("Socket", "Accept");
    return !accept.isEmpty() && List.of("yes", "true", "1", "on").contains(accept.getLast());
  }

  private static void add(List<String> values, UnitName unit, Set<UnitName> names) {
    for (String value : values) {
      for (String name : value.strip().split("\\s+", -1)) {
        try {
          names.add(UnitName.of(Specifiers.expand(unit, name)));
        } catch (InvalidUnitNameException none) {
          // systemd passes over it as well.
        }
      }
    }
  }
}
