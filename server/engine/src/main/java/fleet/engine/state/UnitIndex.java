package fleet.engine.state;

import fleet.core.unit.UnitName;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** An index of units by a common property. Owned by the state thread. */
public final class UnitIndex {

  private final Map<String, Set<UnitName>> units = new HashMap<>();

  public void note(String by, UnitName unit) {
    units.computeIfAbsent(by, _ -> new HashSet<>()).add(unit);
  }

  public void forget(String by, UnitName unit) {
    units.computeIfPresent(by, (_, of) -> of.remove(unit) && of.isEmpty() ? null : of);
  }

  /** Forgets all units of one, and returns them. */
  Set<UnitName> take(String by) {
    Set<UnitName> taken = units.remove(by);
    return taken == null ? Set.of() : taken;
  }

  /** A copy, for callers that change the index while they iterate. */
  public Set<UnitName> of(String by) {
    return new HashSet<>(units.getOrDefault(by, Set.of()));
  }

  public void clear() {
    units.clear();
  }

  int count(String by) {
    return units.getOrDefault(by, Set.of()).size();
  }

  /** All that have units. */
  Set<String> keys() {
    return Collections.unmodifiableSet(units.keySet());
  }
}
