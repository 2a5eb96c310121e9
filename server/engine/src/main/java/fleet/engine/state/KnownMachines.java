package fleet.engine.state;

import fleet.core.machine.Drain;
import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import fleet.registry.Entry;
import fleet.registry.records.Keys;
import fleet.registry.records.SettingsRecord;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The present machines, and the settings of machines. A machine that changes its transport is
 * present in both for a while; its last description counts. Owned by the state thread.
 */
public final class KnownMachines {

  private final Map<String, Machine> present = new TreeMap<>();
  private final Map<ReportPath, Map<String, Machine>> byPath =
      new EnumMap<>(Map.of(ReportPath.STORE, new HashMap<>(), ReportPath.DIRECT, new HashMap<>()));
  private final Map<String, SettingsRecord> settings = new HashMap<>();

  /** Takes over the settings of a machine, and returns the machine. */
  String set(Entry entry) {
    String machine = Keys.machineOf(entry.key());
    settings.put(machine, SettingsRecord.of(entry));
    return machine;
  }

  String unset(String key) {
    String machine = Keys.machineOf(key);
    settings.remove(machine);
    return machine;
  }

  /** A machine is present; returns false if it was before, with the same description. */
  public boolean present(ReportPath path, Machine machine) {
    in(path).put(machine.id(), machine);
    return !machine.equals(present.put(machine.id(), machine));
  }

  /** Whether a machine is present by this transport. */
  public boolean isPresent(ReportPath path, String machine) {
    return in(path).containsKey(machine);
  }

  /** Another present machine with the id of this one, or this one before it booted. */
  public Optional<Machine> duplicate(ReportPath path, Machine machine) {
    return Optional.ofNullable(in(path).get(machine.id()))
        .filter(there -> !there.bootId().equals(machine.bootId()));
  }

  /** A machine is absent by one transport; it may still be present by the other. */
  public void absent(ReportPath path, String machine) {
    in(path).remove(machine);
    Machine still = in(path.other()).get(machine);
    if (still == null) {
      present.remove(machine);
    } else {
      present.put(machine, still);
    }
  }

  private Map<String, Machine> in(ReportPath path) {
    return Objects.requireNonNull(byPath.get(path));
  }

  /** Whether nothing new comes to a machine, present or not. */
  public boolean isCordoned(String machine) {
    SettingsRecord set = settings.get(machine);
    return set != null && (set.cordoned() || set.maintenance().isPresent());
  }

  /** The maintenance window of a machine, present or not; empty if there is none. */
  public Optional<Maintenance> maintenance(String machine) {
    return Optional.ofNullable(settings.get(machine)).flatMap(SettingsRecord::maintenance);
  }

  /** The machines in maintenance, present or not, with their windows. */
  public Map<String, Maintenance> inMaintenance() {
    Map<String, Maintenance> windows = new TreeMap<>();
    settings.forEach(
        (machine, set) -> set.maintenance().ifPresent(window -> windows.put(machine, window)));
    return windows;
  }

  /** The absent machines that are cordoned. */
  public Set<String> cordonedAndAway() {
    Set<String> away = new TreeSet<>();
    settings
        .keySet()
        .forEach(machine -> {
          if (isCordoned(machine) && !has(machine)) {
            away.add(machine);
          }
        });
    return away;
  }

  /** The drained machines, present or not. */
  public Set<String> drained() {
    Set<String> drained = new TreeSet<>();
    settings.forEach((machine, set) -> set.drain().ifPresent(_ -> drained.add(machine)));
    return drained;
  }

  /** The drain of a machine; empty if it is not drained. */
  public Optional<Drain> drain(String machine) {
    return Optional.ofNullable(settings.get(machine)).flatMap(SettingsRecord::drain);
  }

  public int count() {
    return present.size();
  }

  /** The machines that are present, with the metadata in force. */
  public Collection<Machine> all() {
    return present.values().stream().map(this::inForce).toList();
  }

  public Optional<Machine> of(String id) {
    return Optional.ofNullable(present.get(id)).map(this::inForce);
  }

  boolean has(String id) {
    return present.containsKey(id);
  }

  private Machine inForce(Machine machine) {
    SettingsRecord set = settings.get(machine.id());
    return set == null ? machine : set.applyTo(machine);
  }
}
