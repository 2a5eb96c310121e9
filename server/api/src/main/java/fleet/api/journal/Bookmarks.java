package fleet.api.journal;

import fleet.core.unit.UnitName;
import fleet.entities.JournalPosition;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where the reading of units ended that left their machine: one that comes back is gone on with
 * there. Of each machine only the newest are kept, as units may come and go forever.
 */
final class Bookmarks {

  private static final int MOST = 1000;

  private final Map<String, Map<UnitName, JournalPosition>> machines = new HashMap<>();

  /** All that is wanted of a unit was read up to there. */
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

  /** The one furthest on of a machine. */
  Optional<JournalPosition> newest(String machine) {
    return machines.getOrDefault(machine, Map.of()).values().stream()
        .reduce((one, other) -> one.isAfter(other) ? one : other);
  }
}
