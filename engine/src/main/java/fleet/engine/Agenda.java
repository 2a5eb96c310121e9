package fleet.engine;

import fleet.core.unit.UnitName;
import fleet.engine.picture.ClusterPicture;
import fleet.engine.picture.Placed;
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
 * The units to look at, as something happened that may concern them. Keeps the scheduler's picture
 * in step. Owned by the picture's event loop.
 */
final class Agenda {

  private final ClusterPicture picture;
  private final Room room;
  private final Waiters waiters = new Waiters();

  /** Whether whoever waits is to be looked at, which is put off until it is its turn. */
  private boolean waitingTouched;

  private final LinkedHashSet<UnitName> dirty = new LinkedHashSet<>();

  /** Units that can wait for all that happens meanwhile. */
  private final LinkedHashSet<UnitName> someTime = new LinkedHashSet<>();

  private final Set<UnitName> aside = new HashSet<>();
  private final Queue<UnitName> alone = new ArrayDeque<>();

  Agenda(ClusterPicture picture, Room room) {
    this.picture = picture;
    this.room = room;
  }

  // ---- what was touched

  void touch(UnitName unit) {
    if (!aside.contains(unit)) {
      dirty.add(unit);
    }
  }

  /** Something of the unit has changed: what it was set aside for may be settled with that. */
  void changed(UnitName unit) {
    takeUp(unit);
    touch(unit);
  }

  /** Nothing was looked at yet; all of it is to be, once nothing else is. */
  void beginAnew() {
    forget();
    touchAll();
    leaveForLater();
  }

  /** Nothing is to be looked at, and nobody waits. */
  void forget() {
    waiters.clear();
    waitingTouched = false;
    dirty.clear();
    someTime.clear();
  }

  /** All that is to be looked at now gives way to what happens from now on. */
  void leaveForLater() {
    someTime.addAll(dirty);
    dirty.clear();
  }

  private void touchEach(Set<UnitName> units) {
    units.forEach(this::touch);
  }

  /** To be looked at before all that was touched already. */
  void touchFirst(List<UnitName> units) {
    for (UnitName unit : units.reversed()) {
      if (!aside.contains(unit)) {
        dirty.addFirst(unit);
      }
    }
  }

  /** An assumption about a unit failed: units that wait for it or follow it are looked at again. */
  void undone(UnitName unit) {
    room.follow(unit);
    room.followGlobal(unit);
    touch(unit);
    touchEach(waiters.waitingOn(unit));
    touchEach(waiters.waitingForRoom());
    touchEach(room.followers(unit));
  }

  void touchAll() {
    forEachUnit(this::touch);
  }

  /**
   * All is to be looked at though nothing told of it, which should find nothing: at once what may
   * not stay where it is, and the rest when there is nothing else to do.
   */
  void safetyPass() {
    touchEach(room.objections());
    forEachUnit(this::lookSomeTimeAt);
  }

  private void forEachUnit(Consumer<UnitName> look) {
    picture.units().forEach(known -> look.accept(known.unit().name()));
    picture.schedule().forEach(placed -> look.accept(placed.entry().unit()));
    picture.globals().forEach(look);
  }

  /** An entry came, went or changed. */
  void scheduleChanged(UnitName unit, String machine) {
    Optional<Demand> before = room.placed(unit);
    Optional<String> destination = room.destination(unit);
    room.follow(unit);
    touch(unit);
    touchEach(waiters.waitingOn(unit));
    touchEach(room.followers(unit));
    touchWhatFits(machine);
    destination.ifPresent(this::touchWhatFits);
    if (before.filter(room::decidesAboutGlobals).isPresent()
        || room.placed(unit).filter(room::decidesAboutGlobals).isPresent()) {
      touchUnitsOf(machine);
      touchWaiting();
    }
    before.or(() -> room.placed(unit)).ifPresent(this::touchWhoMindsItsRoom);
  }

  /** Global units may come to the room that a unit left, or go as it takes it. */
  private void touchWhoMindsItsRoom(Demand demand) {
    for (UnitName global : room.competingGlobals(demand)) {
      touchEach(waiters.waitingOn(global));
      touchEach(room.followers(global));
    }
  }

  /** Many may wait for room, and few fit into what one unit leaves. */
  private void touchWhatFits(String machine) {
    for (UnitName waiting : waiters.waitingForRoom()) {
      if (room.admits(waiting, machine)) {
        touch(waiting);
      }
    }
  }

  /**
   * A machine says something else of a unit, or somebody wants something else of it: units that are
   * to leave their machine may wait for just that.
   */
  void stateChanged(UnitName unit) {
    touchIfToLeave(unit);
    waiters.waitingOn(unit).forEach(this::touchIfToLeave);
  }

  private void touchIfToLeave(UnitName unit) {
    if (picture.placed(unit).filter(this::isToLeave).isPresent()) {
      touch(unit);
    }
  }

  private boolean isToLeave(Placed placed) {
    return picture.drain(placed.machine()).isPresent() || picture.rebalance().concerns(placed);
  }

  /** Another rebalance may concern these units, or the one that did has ended. */
  void rebalanced(Set<UnitName> units) {
    touchEach(units);
  }

  void globalChanged(UnitName unit) {
    Set<UnitName> before = room.concernedByGlobal(unit);
    room.followGlobal(unit);
    touch(unit);
    touchEach(before);
    touchEach(room.concernedByGlobal(unit));
    touchEach(waiters.waitingOn(unit));
    touchEach(waiters.waitingForRoom());
  }

  /**
   * A machine came. What it has can wait for what people ask for meanwhile: where thousands come to
   * a new leader, that is all there is.
   */
  void machineCame(String machine) {
    judge(machine);
    lookSomeTimeAtUnitsOf(machine);
    touchWaiting();
  }

  /** A machine is described otherwise, or can be read no more or again. */
  void machineChanged(String machine) {
    judge(machine);
    touchUnitsOf(machine);
    touchWaiting();
  }

  private void judge(String machine) {
    room.cordon(machine, picture.isCordoned(machine));
    picture.judged(machine).ifPresentOrElse(room::machine, () -> room.machineGone(machine));
  }

  /**
   * The cluster's settings are different: units that wait may find room, and the entries of global
   * units say how much more is promised.
   */
  void configured() {
    room.configure(picture.config());
    touchWaiting();
    touchEach(picture.globals());
  }

  /** Whether units are judged by this machine. */
  boolean judges(String machine) {
    return room.hasMachine(machine);
  }

  void machineGone(String machine) {
    room.machineGone(machine);
    touchUnitsOf(machine);
    touchWaiting();
  }

  void touchUnitsOf(String machine) {
    touchEach(picture.scheduledTo(machine));
  }

  void lookSomeTimeAtUnitsOf(String machine) {
    picture.scheduledTo(machine).forEach(this::lookSomeTimeAt);
  }

  private void lookSomeTimeAt(UnitName unit) {
    if (!aside.contains(unit)) {
      someTime.add(unit);
    }
  }

  /** Machines may come by the thousand: those that wait are looked at once for many of them. */
  private void touchWaiting() {
    waitingTouched = true;
  }

  private void takeUpWaiting() {
    if (waitingTouched) {
      waitingTouched = false;
      touchEach(waiters.all());
    }
  }

  // ---- what to look at

  boolean isEmpty() {
    takeUpWaiting();
    return dirty.isEmpty() && someTime.isEmpty() && alone.isEmpty();
  }

  /** A unit that was in the way of others, to be decided on by itself. */
  Optional<UnitName> nextAlone() {
    return Optional.ofNullable(alone.poll());
  }

  Optional<UnitName> next() {
    takeUpWaiting();
    if (!dirty.isEmpty()) {
      UnitName first = dirty.removeFirst();
      someTime.remove(first);
      return Optional.of(first);
    }
    return someTime.isEmpty() ? Optional.empty() : Optional.of(someTime.removeFirst());
  }

  /** Whether a unit is to be looked at, and not by itself. */
  boolean isTouched(UnitName unit) {
    return dirty.contains(unit) || someTime.contains(unit);
  }

  /** Takes a unit out of its turn, to be looked at now. */
  void take(UnitName unit) {
    dirty.remove(unit);
    someTime.remove(unit);
  }

  void waits(UnitName unit, Set<String> onUnits, boolean forRoom) {
    waiters.waits(unit, onUnits, forRoom);
  }

  void waitsNoLonger(UnitName unit) {
    waiters.waitsNoLonger(unit);
  }

  // ---- what others must not wait for

  /** The unit is looked at no more until it is taken up again, and then by itself. */
  void setAside(UnitName unit) {
    dirty.remove(unit);
    someTime.remove(unit);
    aside.add(unit);
  }

  void takeUp(UnitName unit) {
    if (aside.remove(unit)) {
      alone.add(unit);
    }
  }
}
