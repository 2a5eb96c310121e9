package fleet.engine;

import fleet.core.machine.Machine;
import fleet.core.unit.UnitName;
import fleet.engine.state.Touched;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The store's word about machines that speak to the leader itself. The machines are believed there:
 * their entries in the store are older, or are being taken away, for as long as they do. Belongs to
 * the state's loop.
 */
final class ShadowedReports {

  /** Changes put by until the machine speaks to the leader no more. */
  private final Map<String, Map<UnitName, Touched>> putBy = new HashMap<>();

  /** Units of which the store has something from machines that have spoken to the leader itself. */
  private final Map<String, Set<UnitName>> stored = new HashMap<>();

  /** Units of which machines have spoken in the store alone. */
  private final Map<String, Set<UnitName>> unconfirmed = new HashMap<>();

  /** Units of which machines have spoken before they went over to another way, and not since. */
  private final Map<String, Unheard> unheard = new HashMap<>();

  private static final class Unheard {
    private final Set<UnitName> units;

    Unheard(Set<UnitName> units) {
      this.units = new HashSet<>(units);
    }
  }

  /** Machines that the store has, while another of the same id speaks to the leader itself. */
  private final Map<String, Machine> twins = new HashMap<>();

  /**
   * A machine begins to speak to the leader itself, and tells everything anew.
   *
   * @param reported the units of which it has spoken, here and below
   * @return by which {@link #takeUnheard} knows it again, here and below
   */
  Object begins(String machine, Set<UnitName> reported) {
    putBy.remove(machine);
    unconfirmed.put(machine, new HashSet<>(reported));
    stored.put(
        machine,
        without(reported, unheard.containsKey(machine) ? unheard.get(machine).units : Set.of()));
    return awaited(machine, reported);
  }

  /**
   * A machine is there through the store alone from now on, which may not have all of its word.
   * What the store had before the machine does not write again, unless it is different now.
   */
  Object ends(String machine, Set<UnitName> reported) {
    Set<UnitName> there = stored.remove(machine);
    return awaited(machine, there == null ? reported : without(reported, there));
  }

  private static Set<UnitName> without(Set<UnitName> units, Set<UnitName> others) {
    Set<UnitName> left = new HashSet<>(units);
    left.removeAll(others);
    return left;
  }

  private Object awaited(String machine, Set<UnitName> reported) {
    Unheard left = new Unheard(reported);
    unheard.put(machine, left);
    return left;
  }

  /** A machine says something of a unit, in whatever way. */
  void heard(String machine, UnitName unit) {
    Unheard left = unheard.get(machine);
    if (left != null) {
      left.units.remove(unit);
    }
  }

  /** Those of which it has not spoken since; none if it has changed its way again. */
  Set<UnitName> takeUnheard(String machine, Object since) {
    Unheard left = unheard.get(machine);
    if (left == null || !left.equals(since)) {
      return Set.of();
    }
    unheard.remove(machine);
    return left.units;
  }

  /**
   * Whether it counts though the machine speaks to the leader itself: of a unit that it has no more
   * it says nothing there, so that what the store said of that goes with the store's word.
   */
  boolean counts(String machine, UnitName unit, Touched what) {
    return what instanceof Touched.Withdrawn
        && unconfirmed.getOrDefault(machine, Set.of()).contains(unit);
  }

  /** The store has something else now of a machine that speaks to the leader itself. */
  void storeChanged(String machine, UnitName unit, Touched what) {
    Set<UnitName> there = stored.computeIfAbsent(machine, _ -> new HashSet<>());
    if (what instanceof Touched.Withdrawn) {
      there.remove(unit);
    } else {
      there.add(unit);
    }
  }

  void putBy(String machine, UnitName unit, Touched what) {
    putBy.computeIfAbsent(machine, _ -> new LinkedHashMap<>()).put(unit, what);
  }

  /** Changes put by of a machine, in their order. */
  List<Touched> of(String machine) {
    return List.copyOf(putBy.getOrDefault(machine, Map.of()).values());
  }

  /** Changes put by of a machine have been heard, or count for nothing. */
  void forget(String machine) {
    putBy.remove(machine);
  }

  /** The store's last word about a unit does not count any more. */
  void overruled(String machine, UnitName unit) {
    unconfirmed.computeIfPresent(
        machine, (_, units) -> units.remove(unit) && units.isEmpty() ? null : units);
  }

  /** A machine is there in no way any more. */
  void gone(String machine) {
    putBy.remove(machine);
    stored.remove(machine);
    unconfirmed.remove(machine);
    unheard.remove(machine);
  }

  void twin(Machine machine) {
    twins.put(machine.id(), machine);
  }

  /** The twin of a machine, which is none from now on. */
  Optional<Machine> takeTwin(String machine) {
    return Optional.ofNullable(twins.remove(machine));
  }
}
