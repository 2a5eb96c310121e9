package fleet.engine;

import fleet.core.machine.Machine;
import fleet.core.unit.UnitName;
import fleet.engine.state.ChangedSubject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reports in the store of machines that report to the leader directly. Their direct reports count;
 * meanwhile their entries in the store are older, or being removed. Owned by the state thread.
 */
final class ShadowedReports {

  /** Changes held back until the machine no longer reports to the leader directly. */
  private final Map<String, Map<UnitName, ChangedSubject>> putBy = new HashMap<>();

  /** Units with entries in the store from machines that have reported directly. */
  private final Map<String, Set<UnitName>> stored = new HashMap<>();

  /** Units that machines have reported in the store only. */
  private final Map<String, Set<UnitName>> unconfirmed = new HashMap<>();

  /** Units that machines reported before they changed the transport, and not since. */
  private final Map<String, Unheard> unheard = new HashMap<>();

  private static final class Unheard {
    private final Set<UnitName> units;

    Unheard(Set<UnitName> units) {
      this.units = new HashSet<>(units);
    }
  }

  /** Machines in the store, while another one with the same id reports directly. */
  private final Map<String, Machine> duplicates = new HashMap<>();

  /**
   * A machine begins to report directly, and reports everything again.
   *
   * @param reported the units that it has reported, here and below
   * @return identifies the change to {@link #takeUnheard}, here and below
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
   * A machine is present through the store only, which may lack some of its reports. The machine
   * writes only what differs from what the store had before.
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

  /** A machine reports a unit, by either transport. */
  void heard(String machine, UnitName unit) {
    Unheard left = unheard.get(machine);
    if (left != null) {
      left.units.remove(unit);
    }
  }

  /** The units that it has not reported since; none if it has changed the transport again. */
  Set<UnitName> takeUnheard(String machine, Object since) {
    Unheard left = unheard.get(machine);
    if (left == null || !left.equals(since)) {
      return Set.of();
    }
    unheard.remove(machine);
    return left.units;
  }

  /**
   * Whether a deletion in the store counts although the machine reports directly: it does for units
   * that the machine has reported only through the store.
   */
  boolean counts(String machine, UnitName unit, ChangedSubject what) {
    return what instanceof ChangedSubject.Withdrawn
        && unconfirmed.getOrDefault(machine, Set.of()).contains(unit);
  }

  /** An entry in the store has changed of a machine that reports directly. */
  void storeChanged(String machine, UnitName unit, ChangedSubject what) {
    Set<UnitName> there = stored.computeIfAbsent(machine, _ -> new HashSet<>());
    if (what instanceof ChangedSubject.Withdrawn) {
      there.remove(unit);
    } else {
      there.add(unit);
    }
  }

  void putBy(String machine, UnitName unit, ChangedSubject what) {
    putBy.computeIfAbsent(machine, _ -> new LinkedHashMap<>()).put(unit, what);
  }

  /** The changes of a machine that were held back, in their order. */
  List<ChangedSubject> of(String machine) {
    return List.copyOf(putBy.getOrDefault(machine, Map.of()).values());
  }

  /** The changes of a machine that were held back have been applied, or are void. */
  void forget(String machine) {
    putBy.remove(machine);
  }

  /** The store's last report of a unit is void. */
  void overruled(String machine, UnitName unit) {
    unconfirmed.computeIfPresent(
        machine, (_, units) -> units.remove(unit) && units.isEmpty() ? null : units);
  }

  /** A machine is absent in both ways. */
  void gone(String machine) {
    putBy.remove(machine);
    stored.remove(machine);
    unconfirmed.remove(machine);
    unheard.remove(machine);
  }

  void duplicate(Machine machine) {
    duplicates.put(machine.id(), machine);
  }

  /** Removes the duplicate of a machine. */
  Optional<Machine> takeDuplicate(String machine) {
    return Optional.ofNullable(duplicates.remove(machine));
  }
}
