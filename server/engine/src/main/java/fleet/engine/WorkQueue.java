package fleet.engine;

import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.ScheduledUnit;
import fleet.scheduler.Demand;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The dirty set: units to look at, since something happened that may concern them. Keeps the
 * scheduler's state in step. Owned by the state thread.
 */
final class WorkQueue {

  private final ClusterState cluster;
  private final SchedulerState schedulerState;
  private final BlockedUnits blocked = new BlockedUnits();

  /** Whether waiting units are to be looked at; that is delayed until their turn. */
  private boolean waitingTouched;

  private final LinkedHashSet<UnitName> dirty = new LinkedHashSet<>();

  /** Units that are looked at after all others. */
  private final LinkedHashSet<UnitName> lowPriority = new LinkedHashSet<>();

  private final Set<UnitName> aside = new HashSet<>();
  private final Queue<UnitName> alone = new ArrayDeque<>();

  WorkQueue(ClusterState cluster, SchedulerState schedulerState) {
    this.cluster = cluster;
    this.schedulerState = schedulerState;
  }

  // ---- what was touched

  void touch(UnitName unit) {
    if (!aside.contains(unit)) {
      dirty.add(unit);
    }
  }

  /** The unit has changed: the fault that set it aside may be gone. */
  void unitChanged(UnitName unit) {
    takeUp(unit);
    touch(unit);
    stateChanged(unit);
  }

  /** Queues all units, to be looked at when nothing else is queued. */
  void requeueAll() {
    forget();
    touchAll();
    demoteAll();
  }

  /** Nothing is queued, and no unit waits. */
  void forget() {
    blocked.clear();
    waitingTouched = false;
    dirty.clear();
    lowPriority.clear();
  }

  /** All that is queued now comes after what is queued from now on. */
  void demoteAll() {
    lowPriority.addAll(dirty);
    dirty.clear();
  }

  private void touchEach(Set<UnitName> units) {
    units.forEach(this::touch);
  }

  /** To be looked at before all units that are queued. */
  void touchFirst(List<UnitName> units) {
    for (UnitName unit : units.reversed()) {
      if (!aside.contains(unit)) {
        dirty.addFirst(unit);
      }
    }
  }

  /** An assumption about a unit failed: units that wait for it or follow it are looked at again. */
  void undone(UnitName unit) {
    schedulerState.follow(unit);
    schedulerState.followGlobal(unit);
    touch(unit);
    touchEach(blocked.waitingOn(unit));
    touchEach(blocked.waitingForRoom());
    touchEach(schedulerState.followers(unit));
  }

  void touchAll() {
    forEachUnit(this::touch);
  }

  /**
   * The safety pass, which should find nothing: queues units that may not stay where they are at
   * once, and the others when nothing else is queued.
   */
  void safetyPass() {
    touchEach(schedulerState.objections());
    forEachUnit(this::touchLast);
  }

  private void forEachUnit(Consumer<UnitName> look) {
    cluster.units().all().forEach(known -> look.accept(known.unit().name()));
    cluster.schedule().all().forEach(placed -> look.accept(placed.entry().unit()));
    cluster.schedule().globals().forEach(look);
  }

  /** An entry came, went or changed. */
  void scheduleChanged(UnitName unit, String machine) {
    Optional<Demand> before = schedulerState.placed(unit);
    Optional<String> destination = schedulerState.destination(unit);
    schedulerState.follow(unit);
    touch(unit);
    touchEach(blocked.waitingOn(unit));
    touchEach(schedulerState.followers(unit));
    touchWhatFits(machine);
    destination.ifPresent(this::touchWhatFits);
    if (before.filter(schedulerState::decidesAboutGlobals).isPresent()
        || schedulerState.placed(unit).filter(schedulerState::decidesAboutGlobals).isPresent()) {
      touchUnitsOf(machine);
      touchWaiting();
    }
    before.or(() -> schedulerState.placed(unit)).ifPresent(this::touchWhoMindsItsRoom);
  }

  /** Global units may come to the room that a unit frees, or leave because it takes the room. */
  private void touchWhoMindsItsRoom(Demand demand) {
    for (UnitName global : schedulerState.competingGlobals(demand)) {
      touchEach(blocked.waitingOn(global));
      touchEach(schedulerState.followers(global));
    }
  }

  /** Many may wait for room, and few fit into what one unit leaves. */
  private void touchWhatFits(String machine) {
    for (UnitName waiting : blocked.waitingForRoom()) {
      if (schedulerState.admits(waiting, machine)) {
        touch(waiting);
      }
    }
  }

  /**
   * A unit's report or target has changed: units that are to leave their machine may wait for that.
   */
  void stateChanged(UnitName unit) {
    touchIfToLeave(unit);
    blocked.waitingOn(unit).forEach(this::touchIfToLeave);
  }

  private void touchIfToLeave(UnitName unit) {
    if (cluster.schedule().of(unit).filter(this::isToLeave).isPresent()) {
      touch(unit);
    }
  }

  private boolean isToLeave(ScheduledUnit placed) {
    return cluster.machines().drain(placed.machine()).isPresent()
        || cluster.operations().move(placed).isPresent();
  }

  void globalChanged(UnitName unit) {
    Set<UnitName> before = schedulerState.concernedByGlobal(unit);
    schedulerState.followGlobal(unit);
    touch(unit);
    touchEach(before);
    touchEach(schedulerState.concernedByGlobal(unit));
    touchEach(blocked.waitingOn(unit));
    touchEach(blocked.waitingForRoom());
  }

  /**
   * A machine came. Its units come after those that people ask for: thousands of machines may come
   * to a new leader.
   */
  void machineCame(String machine) {
    judge(machine);
    touchLastUnitsOf(machine);
    touchWaiting();
  }

  /** A machine's description has changed, or has become readable or unreadable. */
  void machineChanged(String machine) {
    judge(machine);
    touchUnitsOf(machine);
    touchWaiting();
  }

  private void judge(String machine) {
    schedulerState.cordon(machine, cluster.machines().isCordoned(machine));
    cluster
        .judged(machine)
        .ifPresentOrElse(schedulerState::machine, () -> schedulerState.machineGone(machine));
  }

  /**
   * The cluster's settings have changed: waiting units may find room, and the entries of global
   * units depend on the overcommit factors.
   */
  void configured() {
    schedulerState.configure(cluster.config());
    touchWaiting();
    touchEach(cluster.schedule().globals());
  }

  /** Whether units can be judged by this machine. */
  boolean judges(String machine) {
    return schedulerState.hasMachine(machine);
  }

  void machineGone(String machine) {
    schedulerState.machineGone(machine);
    touchUnitsOf(machine);
    touchWaiting();
  }

  void touchUnitsOf(String machine) {
    touchEach(cluster.schedule().unitsOn(machine));
  }

  void touchLastUnitsOf(String machine) {
    cluster.schedule().unitsOn(machine).forEach(this::touchLast);
  }

  private void touchLast(UnitName unit) {
    if (!aside.contains(unit)) {
      lowPriority.add(unit);
    }
  }

  /** Thousands of machines may come: waiting units are looked at once for many of them. */
  private void touchWaiting() {
    waitingTouched = true;
  }

  private void takeUpWaiting() {
    if (waitingTouched) {
      waitingTouched = false;
      touchEach(blocked.all());
    }
  }

  // ---- what to look at

  boolean isEmpty() {
    takeUpWaiting();
    return dirty.isEmpty() && lowPriority.isEmpty() && alone.isEmpty();
  }

  int size() {
    takeUpWaiting();
    return dirty.size() + lowPriority.size() + alone.size();
  }

  BlockedUnits.Obstacle obstacle(UnitName unit) {
    return blocked.obstacle(unit);
  }

  /** A unit that blocked others, to be decided on by itself. */
  Optional<UnitName> nextAlone() {
    return Optional.ofNullable(alone.poll());
  }

  Optional<UnitName> next() {
    takeUpWaiting();
    if (!dirty.isEmpty()) {
      UnitName first = dirty.removeFirst();
      lowPriority.remove(first);
      return Optional.of(first);
    }
    return lowPriority.isEmpty() ? Optional.empty() : Optional.of(lowPriority.removeFirst());
  }

  /** Whether a unit is queued, and not by itself. */
  boolean isTouched(UnitName unit) {
    return dirty.contains(unit) || lowPriority.contains(unit);
  }

  /** Takes a unit from the queue, to be looked at now. */
  void take(UnitName unit) {
    dirty.remove(unit);
    lowPriority.remove(unit);
  }

  void waits(UnitName unit, Set<String> onUnits, boolean forRoom) {
    blocked.waits(unit, onUnits, forRoom);
  }

  void waitsNoLonger(UnitName unit) {
    blocked.waitsNoLonger(unit);
  }

  // ---- what others must not wait for

  /** Sets the unit aside until it is taken up again, and then by itself. */
  void setAside(UnitName unit) {
    dirty.remove(unit);
    lowPriority.remove(unit);
    aside.add(unit);
  }

  void takeUp(UnitName unit) {
    if (aside.remove(unit)) {
      alone.add(unit);
    }
  }
}
