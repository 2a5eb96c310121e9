package fleet.engine.state;

import fleet.core.schedule.Target;
import fleet.core.state.AgentReport;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** UnitReports of machines about units. Owned by the thread of the state. */
public final class UnitReports {

  private final StoredSchedule schedule;
  private final Interner interner;
  private final Map<UnitName, Map<String, UnitState>> states = new HashMap<>();

  /** The same, for those who want them sorted; changed only if a unit has its first or last. */
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

  /** The revision of what a machine has stored of a unit; empty if it has not. */
  public OptionalLong revision(String machine, UnitName unit) {
    Long revision = keys.getOrDefault(unit, Map.of()).get(machine);
    return revision == null ? OptionalLong.empty() : OptionalLong.of(revision);
  }

  // ---- what is said

  /** Takes over a unit's state, and gives it as it is held; empty if it was known already. */
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
   * A machine does not take a unit, as it says of one entry.
   *
   * @return false if it was known to have the unit's state no more
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

  /** It counts only if it speaks of the entry as it is now. */
  private void noteGone(String machine, UnitName unit, long revision) {
    if (schedule.isCurrent(machine, unit, revision)) {
      gone.put(unit, revision);
      ended.remove(unit);
    }
  }

  /**
   * A machine has nothing more to say of a unit: a name that it refused is free there.
   *
   * @return false if it was not known to have the unit
   */
  public boolean withdrawn(String machine, UnitName unit) {
    Optional<Placed> placed = schedule.of(unit).filter(entry -> entry.machine().equals(machine));
    if (placed.filter(entry -> entry.record().target() != Target.STOPPING).isPresent()) {
      // A refusal may be over by now; a unit that stopped as told never starts again.
      forgetGone(unit);
    }
    takeBack(machine, unit);
    return forgetState(machine, unit);
  }

  /** The units of which a machine has said something that still counts. */
  public Set<UnitName> by(String machine) {
    return byMachine.of(machine);
  }

  /** All that a machine said is void; returns the units whose state it told. */
  public Set<UnitName> withdrawAll(String machine) {
    Set<UnitName> told = new HashSet<>();
    for (UnitName unit : byMachine.of(machine)) {
      if (withdrawn(machine, unit)) {
        told.add(unit);
      }
    }
    return told;
  }

  /** The entry that the answer spoke of is no more. */
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

  public @Nullable UnitState state(UnitName unit, String machine) {
    return states.getOrDefault(unit, Map.of()).get(machine);
  }

  /** Whether the machine that is to have the unit has told, of this very entry, that it has not. */
  public boolean isGone(Placed placed) {
    return Long.valueOf(placed.entry().revision()).equals(gone.get(placed.entry().unit()));
  }

  /**
   * Whether the unit had run to its end when its machine was told to stop it, as the machine says
   * of this very entry.
   */
  public boolean hasEnded(Placed placed) {
    return isGone(placed) && ended.contains(placed.entry().unit());
  }

  /** Why machines would not take the unit as it is now, by machine. */
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
