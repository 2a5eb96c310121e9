package fleet.fleetctl.event;

import fleet.core.requirements.Glob;
import fleet.entities.EventEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Requested units without any event so far: a mistyped name looks like a unit to which nothing
 * happened. For one thread.
 */
public final class SilentUnits {

  private final Set<String> names = new LinkedHashSet<>();
  private final Set<Glob> patterns = new LinkedHashSet<>();

  /** At first, all units are silent. */
  public SilentUnits(Collection<String> names, Collection<Glob> patterns) {
    this.names.addAll(names);
    this.patterns.addAll(patterns);
  }

  public boolean isBroken() {
    return names.isEmpty() && patterns.isEmpty();
  }

  public void noteEvent(EventEntity event) {
    String unit = event.context().unit();
    if (!unit.isEmpty()) {
      names.remove(unit);
      patterns.removeIf(pattern -> pattern.matches(unit));
    }
  }

  /** Messages about those that are not in the cluster either, a line each. */
  public List<String> missing(FleetClient client) throws FleetException {
    List<String> missing = new ArrayList<>();
    Set<String> known = names.isEmpty() ? Set.of() : client.units(names).keySet();
    for (String name : names) {
      if (!known.contains(name)) {
        missing.add("Unit " + name + " does not exist");
      }
    }
    List<String> all =
        patterns.isEmpty() ? List.of() : client.units().stream().map(UnitEntity::name).toList();
    for (Glob pattern : patterns) {
      if (all.stream().noneMatch(pattern::matches)) {
        missing.add("No unit matches " + pattern.pattern());
      }
    }
    return missing;
  }
}
