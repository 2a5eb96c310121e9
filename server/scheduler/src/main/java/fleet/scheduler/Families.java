package fleet.scheduler;

import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the staying instances of each template on present machines, and by the value of a metadata
 * once that was asked for.
 */
final class Families {

  private final Map<String, Family> families = new HashMap<>();

  private static final class Family {
    private final Map<MachineInfo, Integer> machines = new HashMap<>();
    private final Map<String, Map<String, Integer>> spread = new HashMap<>();

    void count(MachineInfo machine, int difference) {
      add(machines, machine, difference);
      spread.forEach((key, values) -> add(values, value(machine, key), difference));
    }

    private static <T> void add(Map<T, Integer> counts, T of, int difference) {
      counts.merge(of, difference, Family::sum);
    }

    private static @Nullable Integer sum(Integer one, Integer other) {
      return one + other == 0 ? null : Integer.valueOf(one + other);
    }

    Map<String, Integer> by(String key) {
      return spread.computeIfAbsent(key, this::counted);
    }

    private Map<String, Integer> counted(String key) {
      Map<String, Integer> values = new HashMap<>();
      machines.forEach((machine, count) -> add(values, value(machine, key), count));
      return values;
    }
  }

  private static String value(MachineInfo machine, String key) {
    return machine.machine().metadata().getOrDefault(key, "");
  }

  /** {@code web@.service} of {@code web@1.service}; null of what is no instance. */
  static @Nullable String template(UnitName unit) {
    String name = unit.value();
    int at = name.indexOf('@');
    return at < 0 ? null : name.substring(0, at + 1) + name.substring(name.lastIndexOf('.'));
  }

  /** A unit that is here to stay came to a machine that is there. */
  void came(UnitName unit, MachineInfo machine) {
    String template = template(unit);
    if (template != null) {
      families.computeIfAbsent(template, _ -> new Family()).count(machine, 1);
    }
  }

  /** It goes from there, or the machine does. */
  void went(UnitName unit, MachineInfo machine) {
    String template = template(unit);
    Family family = template == null ? null : families.get(template);
    if (family != null) {
      family.count(machine, -1);
      if (family.machines.isEmpty()) {
        families.remove(template);
      }
    }
  }

  void came(Collection<Demand> units, MachineInfo machine) {
    units.forEach(demand -> came(demand.unit(), machine));
  }

  void went(Collection<Demand> units, MachineInfo machine) {
    units.forEach(demand -> went(demand.unit(), machine));
  }

  /**
   * How many of a unit's family are on the machines of each value of a metadata; the empty value
   * stands for those without.
   */
  Map<String, Integer> spread(UnitName unit, String key) {
    String template = template(unit);
    Family family = template == null ? null : families.get(template);
    return family == null ? Map.of() : Collections.unmodifiableMap(family.by(key));
  }
}
