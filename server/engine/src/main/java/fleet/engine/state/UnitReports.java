package fleet.engine.state;

import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reports of machines about units. Owned by the state thread. */
public final class UnitReports {

  private final StoredSchedule schedule;
  private final Interner interner;
  private final Map<UnitName, Map<String, UnitState>> states = new HashMap<>();

  /** The same, sorted; changed only when a unit gets its first or loses its last report. */
  private final Map<UnitName, Map<String, UnitState>> sorted = new TreeMap<>();

  private final SortedMap<String, Integer> byActive = new TreeMap<>();
  private final Map<UnitName, Map<String, Refusal>> refusals = new HashMap<>();
  private final UnitIndex byMachine = new UnitIndex();
  private final Map<UnitName, Map<String, Long>> keys = new HashMap<>();
  private final Map<UnitName, Long> gone = new HashMap<>();

  /** Those of them that had run to their end by themselves. */
  private final Set<UnitName> ended = new HashSet<>();

  UnitReports(StoredSchedule schedule, Interner interner) {
    this.schedule = schedule;
    this.interner = interner;
  }

  // ---- the keys of those who report through the store

  void stored(String machine, UnitName unit, long revision) {
    keys.computeIfAbsent(unit, _ -> new HashMap<>()).put(machine, revision);
  }

  void deleted(String machine, UnitName unit) {
    var _ = remove(keys, unit, machine);
  }

  /** The revision of a machine's stored report of a unit; empty if there is none. */
  public OptionalLong revision(String machine, UnitName unit) {
    Long revision = keys.getOrDefault(unit, Map.of()).get(machine);
    return revision == null ? OptionalLong.empty() : OptionalLong.of(revision);
  }

  // ---- what is said

  /** Takes over a unit's state, and returns it interned; empty if it was known already. */
  public Optional<UnitState> stated(UnitState reported) {
    UnitState state = interner.of(reported);
    takeBack(state.machine(), state.unit());
    byMachine.note(state.machine(), state.unit());
    Map<String, UnitState> its = states.computeIfAbsent(state.unit(), this::firstState);
    UnitState before = its.put(state.machine(), state);
    if (before != null) {
      uncount(before);
    }
    byActive.merge(state.systemd().active(), 1, Integer::sum);
    return state.equals(before) ? Optional.empty() : Optional.of(state);
  }

  private void uncount(UnitState state) {
    byActive.computeIfPresent(
        state.systemd().active(), (_, count) -> count == 1 ? null : count - 1);
  }

  private Map<String, UnitState> firstState(UnitName unit) {
    Map<String, UnitState> its = new TreeMap<>();
    sorted.put(unit, its);
    return its;
  }

  /**
   * A machine does not have a unit.
   *
   * @return false if it was not known to have it
   */
  public boolean gone(String machine, AgentReport.Gone report) {
    UnitName unit = report.unit();
    takeBack(machine, unit);
    noteGone(machine, unit, report.revision());
    if (report.ended() && schedule.isCurrent(machine, unit, report.revision())) {
      ended.add(unit);
    }
    return forgetState(machine, unit);
  }

  /**
   * A machine refuses a unit, by one entry.
   *
   * @return false if it was not known to have the unit
   */
  public boolean refused(AgentReport.Refused refusal, String machine) {
    UnitName unit = refusal.unit();
    byMachine.note(machine, unit);
    OptionalLong counter = schedule.restartCounter(machine, unit, refusal.revision());
    refusals
        .computeIfAbsent(unit, _ -> new HashMap<>())
        .put(machine, new Refusal(refusal.incarnation(), counter, refusal.why()));
    noteGone(machine, unit, refusal.revision());
    return forgetState(machine, unit);
  }

  /** The report counts only if it is about the present entry. */
  private void noteGone(String machine, UnitName unit, long revision) {
    if (schedule.isCurrent(machine, unit, revision)) {
      gone.put(unit, revision);
      ended.remove(unit);
    }
  }

  /**
   * A machine no longer reports a unit: a name that it refused is free there.
   *
   * @return false if it was not known to have the unit
   */
  public boolean withdrawn(String machine, UnitName unit) {
    Optional<ScheduledUnit> placed =
        schedule.of(unit).filter(entry -> entry.machine().equals(machine));
    if (placed.filter(entry -> entry.record().target() != TargetState.STOPPING).isPresent()) {
      // A refusal may be over by now; a unit that stopped as told does not start again.
      forgetGone(unit);
    }
    takeBack(machine, unit);
    return forgetState(machine, unit);
  }

  /** The units with a valid report of a machine. */
  public Set<UnitName> by(String machine) {
    return byMachine.of(machine);
  }

  /** All reports of a machine are void; returns the units that it had reported. */
  public Set<UnitName> withdrawAll(String machine) {
    Set<UnitName> told = new HashSet<>();
    for (UnitName unit : byMachine.of(machine)) {
      if (withdrawn(machine, unit)) {
        told.add(unit);
      }
    }
    return told;
  }

  /** The entry of that answer is gone. */
  void entryRemoved(UnitName unit) {
    forgetGone(unit);
  }

  private void forgetGone(UnitName unit) {
    gone.remove(unit);
    ended.remove(unit);
  }

  private boolean forgetState(String machine, UnitName unit) {
    UnitState known = remove(states, unit, machine);
    if (known != null) {
      uncount(known);
      if (!states.containsKey(unit)) {
        sorted.remove(unit);
      }
    }
    if (!refusals.getOrDefault(unit, Map.of()).containsKey(machine)) {
      byMachine.forget(machine, unit);
    }
    return known != null;
  }

  private void takeBack(String machine, UnitName unit) {
    var _ = remove(refusals, unit, machine);
  }

  private static <T> @Nullable T remove(
      Map<UnitName, Map<String, T>> all, UnitName unit, String machine) {
    Map<String, T> machines = all.get(unit);
    if (machines == null) {
      return null;
    }
    T known = machines.remove(machine);
    if (machines.isEmpty()) {
      all.remove(unit);
    }
    return known;
  }

  // ---- what is known

  public Collection<Map<String, UnitState>> states() {
    return Collections.unmodifiableCollection(sorted.values());
  }

  /** How many states there are, on all machines, by systemd's active state. */
  public SortedMap<String, Integer> byActive() {
    return Collections.unmodifiableSortedMap(byActive);
  }

  public Map<String, UnitState> states(UnitName unit) {
    return Collections.unmodifiableMap(states.getOrDefault(unit, Map.of()));
  }

  /** The states of some units, sorted by unit, then machine. */
  public List<UnitState> states(Set<UnitName> units) {
    return units.stream().sorted().flatMap(unit -> states(unit).values().stream()).toList();
  }

  public @Nullable UnitState state(UnitName unit, String machine) {
    return states.getOrDefault(unit, Map.of()).get(machine);
  }

  /**
   * Whether the scheduled machine has reported, for this very entry, that it does not have the
   * unit.
   */
  public boolean isGone(ScheduledUnit placed) {
    return Long.valueOf(placed.entry().revision()).equals(gone.get(placed.entry().unit()));
  }

  /**
   * Whether the unit had run to its end when its machine was told to stop it, by the report for
   * this very entry.
   */
  public boolean hasEnded(ScheduledUnit placed) {
    return isGone(placed) && ended.contains(placed.entry().unit());
  }

  /** Why a machine refuses an incarnation of a unit; empty if it does not. */
  public Optional<String> refusal(String machine, UnitName unit, Incarnation incarnation) {
    return Optional.ofNullable(refusals.getOrDefault(unit, Map.of()).get(machine))
        .filter(refusal -> refusal.incarnation().equals(incarnation))
        .map(Refusal::why);
  }

  /** Why machines refuse the present version of the unit, by machine. */
  public Map<String, String> refusals(KnownUnit known) {
    Map<String, String> why = new TreeMap<>();
    refusals
        .getOrDefault(known.unit().name(), Map.of())
        .forEach((machine, refusal) -> {
          if (refusal.concerns(known)) {
            why.put(machine, refusal.why());
          }
        });
    return why;
  }
}
