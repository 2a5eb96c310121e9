package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One machine of a {@link Picture} with the units on it. Changes with the picture, and belongs to
 * the picture's thread.
 */
public final class MachineView {

  private final NavigableMap<String, Demand> candidates;
  private final NavigableMap<String, Demand> units = new TreeMap<>();
  private final Set<String> leaving = new HashSet<>();
  private final Map<UnitName, String> refusals = new HashMap<>();
  private Machine machine;
  private boolean present;
  private @Nullable GlobalUnits globals;

  /**
   * A view of a machine that nobody has described yet.
   *
   * @param candidates the cluster's global units by name; read whenever it is told that they
   *     changed
   */
  MachineView(String id, NavigableMap<String, Demand> candidates) {
    this.candidates = candidates;
    machine = new Machine(id, "", "", Map.of(), "");
  }

  /** The same view for a fork of the picture. */
  MachineView fork(NavigableMap<String, Demand> forkedCandidates) {
    MachineView fork = new MachineView(id(), forkedCandidates);
    fork.units.putAll(units);
    fork.leaving.addAll(leaving);
    fork.refusals.putAll(refusals);
    fork.machine = machine;
    fork.present = present;
    fork.globals = globals;
    return fork;
  }

  public String id() {
    return machine.id();
  }

  public Machine machine() {
    return machine;
  }

  /** The units placed here by name, sorted, those that are leaving among them; no global ones. */
  public Collection<Demand> units() {
    return Collections.unmodifiableCollection(units.values());
  }

  /** Whether the unit is placed here, be it leaving or not. */
  public boolean holds(UnitName unit) {
    return units.containsKey(unit.value());
  }

  /** Whether the unit is placed here and has been told to go. */
  public boolean isLeaving(UnitName unit) {
    return leaving.contains(unit.value());
  }

  /** Whether a unit of this name is here to stay: placed, or global and applicable. */
  public boolean runs(String unit) {
    if (units.containsKey(unit)) {
      return !leaving.contains(unit);
    }
    Demand global = candidates.get(unit);
    return global != null && globals().applicable().contains(global.unit());
  }

  /** Which of the cluster's global units apply here, and why the others do not. */
  public GlobalUnits globals() {
    GlobalUnits known = globals;
    if (known == null) {
      known = GlobalUnits.judge(machine, units.values(), candidates.values());
      globals = known;
    }
    return known;
  }

  /** The global units that apply here, sorted by name. */
  public Collection<Demand> applicableGlobals() {
    return candidates.isEmpty()
        ? candidates.values()
        : globals().applicable().stream()
            .map(unit -> Objects.requireNonNull(candidates.get(unit.value())))
            .toList();
  }

  /** Why the machine does not take a unit of this name, where it said so. */
  public Optional<String> refusal(UnitName unit) {
    return Optional.ofNullable(refusals.get(unit));
  }

  /** How many units are here to stay, global ones included. */
  public int load() {
    return units.size() - leaving.size() + globals().applicable().size();
  }

  boolean isPresent() {
    return present;
  }

  boolean isEmpty() {
    return units.isEmpty();
  }

  void describe(Machine description) {
    machine = description;
    present = true;
    globalsChanged();
  }

  void goAbsent() {
    present = false;
    refusals.clear();
  }

  void put(Demand demand) {
    units.put(demand.unit().value(), demand);
    leaving.remove(demand.unit().value());
    globalsChanged();
  }

  void leave(UnitName unit) {
    leaving.add(unit.value());
  }

  void remove(UnitName unit) {
    units.remove(unit.value());
    leaving.remove(unit.value());
    globalsChanged();
  }

  @Nullable Demand demand(UnitName unit) {
    return units.get(unit.value());
  }

  void refuse(UnitName unit, String why) {
    refusals.put(unit, why);
  }

  void free(UnitName unit) {
    refusals.remove(unit);
  }

  void globalsChanged() {
    globals = candidates.isEmpty() ? GlobalUnits.NONE : null;
  }
}
