package fleet.engine.state;

import fleet.core.machine.Drain;
import fleet.core.machine.Machine;
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
 * The machines that are there, and what people set on machines. A machine that changes from one way
 * of saying so to the other is there in both for a while; it is as it has said last. Owned by the
 * state's thread.
 */
public final class KnownMachines {

  private final Map<String, Machine> present = new TreeMap<>();
  private final Map<ReportPath, Map<String, Machine>> byWay =
      new EnumMap<>(Map.of(ReportPath.STORE, new HashMap<>(), ReportPath.DIRECT, new HashMap<>()));
  private final Map<String, SettingsRecord> settings = new HashMap<>();

  /** Takes over what people set on a machine, and returns the machine. */
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

  /** A machine is there; returns false if it was, and describes itself as before. */
  public boolean present(ReportPath way, Machine machine) {
    in(way).put(machine.id(), machine);
    return !machine.equals(present.put(machine.id(), machine));
  }

  /** Whether a machine says in this way that it is there. */
  public boolean isPresent(ReportPath way, String machine) {
    return in(way).containsKey(machine);
  }

  /** Another machine that is there with the id of this one, or this one before it booted. */
  public Optional<Machine> twin(ReportPath way, Machine machine) {
    return Optional.ofNullable(in(way).get(machine.id()))
        .filter(there -> !there.bootId().equals(machine.bootId()));
  }

  /** A machine is there no more in one way; it may still be in the other. */
  public void absent(ReportPath way, String machine) {
    in(way).remove(machine);
    Machine still = in(way.other()).get(machine);
    if (still == null) {
      present.remove(machine);
    } else {
      present.put(machine, still);
    }
  }

  private Map<String, Machine> in(ReportPath way) {
    return Objects.requireNonNull(byWay.get(way));
  }

  /** Whether nothing new is to come to a machine, be it there or not. */
  public boolean isCordoned(String machine) {
    SettingsRecord set = settings.get(machine);
    return set != null && set.cordoned();
  }

  /** The machines that are cordoned and say nothing of themselves. */
  public Set<String> cordonedAndAway() {
    Set<String> away = new TreeSet<>();
    settings.forEach((machine, set) -> {
      if (set.cordoned() && !has(machine)) {
        away.add(machine);
      }
    });
    return away;
  }

  /** Those whose units are to go elsewhere, be they there or not. */
  public Set<String> drained() {
    Set<String> drained = new TreeSet<>();
    settings.forEach((machine, set) -> set.drain().ifPresent(_ -> drained.add(machine)));
    return drained;
  }

  /** How the units of a machine are to go elsewhere; empty if they are not. */
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
    return set == null ? machine : machine.withMetadata(set.applyTo(machine.metadata()));
  }
}
