package fleet.engine.state;

import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.records.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The keys of the registry whose values cannot be read. The subject of such a key is left alone
 * until somebody mends it. Owned by the state thread.
 */
public final class UnreadableKeys {

  private final Map<String, String> byKey = new HashMap<>();
  private final Map<UnitName, NavigableMap<String, String>> byUnit = new HashMap<>();
  private final Map<String, NavigableMap<String, String>> byMachine = new HashMap<>();
  private final List<String> untold = new ArrayList<>();

  /** Notes that a value cannot be read; returns its subject. */
  ChangedSubject note(Entry entry, RegistryException why) {
    String key = entry.key();
    String before = byKey.put(key, why.getMessage());
    if (!Objects.equals(before, why.getMessage())) {
      untold.add(why.getMessage() + "; " + consequence(key));
    }
    unit(key).ifPresent(unit -> note(byUnit, unit, key, why));
    machine(key).ifPresent(machine -> note(byMachine, machine, key, why));
    return about(key);
  }

  private static <K> void note(
      Map<K, NavigableMap<String, String>> faults, K about, String key, RegistryException why) {
    faults.computeIfAbsent(about, _ -> new TreeMap<>()).put(key, why.getMessage());
  }

  /** Notes that a key can be read, or is gone; returns false if that was known. */
  boolean mended(String key) {
    if (byKey.isEmpty() || byKey.remove(key) == null) {
      return false;
    }
    unit(key).ifPresent(unit -> forget(byUnit, unit, key));
    machine(key).ifPresent(machine -> forget(byMachine, machine, key));
    return true;
  }

  private static <K> void forget(Map<K, NavigableMap<String, String>> faults, K about, String key) {
    faults.computeIfPresent(
        about, (_, keys) -> keys.remove(key) != null && keys.isEmpty() ? null : keys);
  }

  Optional<String> of(UnitName unit) {
    return Optional.ofNullable(byUnit.get(unit)).map(keys -> keys.firstEntry().getValue());
  }

  boolean concern(String machine) {
    return byMachine.containsKey(machine);
  }

  boolean has(String key) {
    return byKey.containsKey(key);
  }

  /** The units of which a key with this beginning cannot be read. */
  Set<UnitName> unitsBelow(String prefix) {
    Set<UnitName> units = new HashSet<>();
    for (String key : byKey.keySet()) {
      if (key.startsWith(prefix)) {
        unit(key).ifPresent(units::add);
      }
    }
    return units;
  }

  boolean isEmpty() {
    return byKey.isEmpty();
  }

  /** Tells all of it once more. */
  public void tellAgain() {
    untold.clear();
    byKey.forEach((key, why) -> untold.add(why + "; " + consequence(key)));
  }

  /** The unreadable keys to tell the operator, once. */
  public List<String> takeUntold() {
    List<String> told = List.copyOf(untold);
    untold.clear();
    return told;
  }

  static ChangedSubject about(String key) {
    return unit(key)
        .<ChangedSubject>map(ChangedSubject.OfUnits::one)
        .or(() -> machine(key).map(ChangedSubject.OfMachine::new))
        .orElse(new ChangedSubject.Nothing());
  }

  private static Optional<UnitName> unit(String key) {
    boolean aboutUnit =
        key.startsWith(Keys.UNITS)
            || key.startsWith(Keys.PLACEMENTS)
            || key.startsWith(Keys.SCHEDULES)
            || key.startsWith(Keys.GLOBALS)
            || key.startsWith(Keys.STATES);
    try {
      return aboutUnit ? Optional.of(Keys.unitOf(key)) : Optional.empty();
    } catch (RegistryException namesNone) {
      return Optional.empty();
    }
  }

  private static Optional<String> machine(String key) {
    return key.startsWith(Keys.MACHINES) || key.startsWith(Keys.SETTINGS)
        ? Optional.of(Keys.machineOf(key))
        : Optional.empty();
  }

  private static String consequence(String key) {
    if (key.startsWith(Keys.FILES)) {
      return "units whose content it is are left alone until they are submitted again";
    }
    if (key.startsWith(Keys.MACHINES)) {
      return "the machine and its units are left alone until its fleetd is restarted";
    }
    if (key.startsWith(Keys.HISTORIES)) {
      return "the former contents of the unit are lost, and its next change begins a new history";
    }
    Optional<UnitName> unit = unit(key);
    if (unit.isEmpty()) {
      return machine(key).isPresent()
          ? "the machine gets no units, and keeps those it has, until the key is deleted or corrected"
          : "it is passed over; delete the key";
    }
    if (key.startsWith(Keys.UNITS)) {
      return unit.get() + " is left alone until it is destroyed and submitted again";
    }
    String leftAlone = unit.get() + " is left alone until the key is deleted or corrected";
    return key.startsWith(Keys.SCHEDULES) || key.startsWith(Keys.GLOBALS)
        ? leftAlone + "; if it is deleted, the unit is stopped there and placed again"
        : leftAlone;
  }
}
