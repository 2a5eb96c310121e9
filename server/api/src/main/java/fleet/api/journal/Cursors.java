package fleet.api.journal;

import fleet.core.unit.UnitName;
import fleet.entities.JournalPosition;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The positions at which reading ended for units that left their machine: reading continues there
 * for one that comes back. Only the newest of each machine are kept, since units may come and go
 * forever.
 */
final class Cursors {

  private static final int MOST = 1000;

  private final Map<String, Map<UnitName, JournalPosition>> machines = new HashMap<>();

  /** All wanted entries of a unit were read up to this position. */
  void put(String machine, UnitName unit, JournalPosition position) {
    var units = machines.computeIfAbsent(machine, _ -> new LinkedHashMap<>());
    units.remove(unit);
    units.put(unit, position);
    if (units.size() > MOST) {
      units.remove(units.keySet().iterator().next());
    }
  }

  Optional<JournalPosition> of(String machine, UnitName unit) {
    return Optional.ofNullable(machines.getOrDefault(machine, Map.of()).get(unit));
  }

  /** The latest position of a machine. */
  Optional<JournalPosition> newest(String machine) {
    return machines.getOrDefault(machine, Map.of()).values().stream()
        .reduce((one, other) -> one.isAfter(other) ? one : other);
  }
}
