package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The units of fleet on this machine, and which of them need work: touched ones are reconciled and
 * reported at the end of the turn; units with work under way wait until it is done. Owned by the
 * agent's event thread.
 */
final class LocalUnits {

  private final Consumer<Runnable> later;
  private final Map<UnitName, LocalUnit> units = new HashMap<>();
  private final Set<UnitName> busy = new HashSet<>();
  private final Set<UnitName> resting = new HashSet<>();
  private final Set<UnitName> touched = new LinkedHashSet<>();
  private final Set<UnitName> toReport = new LinkedHashSet<>();

  /**
   * No units yet.
   *
   * @param later runs something after a pause for a retry
   */
  LocalUnits(Consumer<Runnable> later) {
    this.later = later;
  }

  Optional<LocalUnit> find(UnitName name) {
    return Optional.ofNullable(units.get(name));
  }

  LocalUnit get(UnitName name) {
    return Objects.requireNonNull(units.get(name), name::value);
  }

  LocalUnit getOrAdd(UnitName name, Function<UnitName, Mark> mark) {
    return units.computeIfAbsent(name, _ -> new LocalUnit(mark.apply(name)));
  }

  void remove(UnitName name) {
    units.remove(name);
  }

  Set<UnitName> names() {
    return Collections.unmodifiableSet(units.keySet());
  }

  Collection<LocalUnit> all() {
    return Collections.unmodifiableCollection(units.values());
  }

  /** Something about the unit may have to be done. */
  void touch(UnitName name) {
    touched.add(name);
  }

  void touchAll() {
    touched.addAll(units.keySet());
  }

  void wakeAll() {
    resting.clear();
    touchAll();
  }

  /** The unit's state may have to be reported. */
  void changed(UnitName name) {
    toReport.add(name);
  }

  /** Work on the unit begins. */
  void occupy(UnitName name) {
    busy.add(name);
  }

  /** Work on the unit has ended; the next step follows at the end of the turn. */
  void release(UnitName name) {
    busy.remove(name);
    touch(name);
    changed(name);
  }

  /** All that is here or is just coming. */
  Set<UnitName> present() {
    Set<UnitName> present = new HashSet<>(units.keySet());
    present.addAll(busy);
    return present;
  }

  boolean isBusy(UnitName name) {
    return busy.contains(name);
  }

  /** Work on the unit has failed: it is left alone for a pause. */
  void rest(UnitName name) {
    resting.add(name);
    later.accept(() -> wake(name));
  }

  /** The unit can be tried again. */
  void wake(UnitName name) {
    resting.remove(name);
    touch(name);
  }

  /** Hands out, once, the touched units without work under way and without a pause. */
  List<UnitName> takeTouched() {
    List<UnitName> taken =
        touched.stream()
            .filter(name -> !busy.contains(name))
            .filter(name -> !resting.contains(name))
            .toList();
    touched.clear();
    return taken;
  }

  /** Reports all states again. */
  void reportAgain() {
    units.values().forEach(LocalUnit::reportAgain);
    toReport.addAll(units.keySet());
  }

  /**
   * Hands out, once, the states that have changed since they were reported.
   *
   * @param later the units whose states are delayed
   */
  List<UnitState> takeNews(String machine, Predicate<UnitName> later) {
    List<UnitState> news = new ArrayList<>();
    Iterator<UnitName> names = toReport.iterator();
    while (names.hasNext()) {
      UnitName name = names.next();
      if (!later.test(name)) {
        names.remove();
        find(name).flatMap(unit -> unit.news(machine)).ifPresent(news::add);
      }
    }
    return news;
  }

  /** Whether delayed states may have changed. */
  boolean hasNews() {
    return !toReport.isEmpty();
  }
}
