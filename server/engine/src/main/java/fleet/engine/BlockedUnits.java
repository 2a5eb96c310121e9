package fleet.engine;

import fleet.core.text.Keyword;
import fleet.core.unit.UnitName;
import fleet.engine.state.UnitIndex;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The units that have no place, each with the units that its place depends on. A change of one of
 * these queues only the units that it may help.
 */
final class BlockedUnits {

  private final Map<UnitName, Set<String>> reasons = new HashMap<>();
  private final UnitIndex byReason = new UnitIndex();
  private final Set<UnitName> forRoom = new HashSet<>();

  /** The obstacle for which a unit waits. */
  enum Obstacle implements Keyword {
    /** Room that any other unit may leave. */
    ROOM,
    /** Something that certain units do. */
    UNIT,
    /** A machine that fits. */
    MACHINE,
    /** A fault: nothing can be decided about the unit. */
    FAULT
  }

  Obstacle obstacle(UnitName unit) {
    if (forRoom.contains(unit)) {
      return Obstacle.ROOM;
    }
    Set<String> onUnits = reasons.get(unit);
    if (onUnits == null) {
      return Obstacle.FAULT;
    }
    return onUnits.isEmpty() ? Obstacle.MACHINE : Obstacle.UNIT;
  }

  /**
   * @param room whether any unit that comes to a machine or goes from it may help
   */
  void waits(UnitName unit, Set<String> onUnits, boolean room) {
    waitsNoLonger(unit);
    if (room) {
      forRoom.add(unit);
    }
    reasons.put(unit, onUnits);
    onUnits.forEach(other -> byReason.note(other, unit));
  }

  void waitsNoLonger(UnitName unit) {
    forRoom.remove(unit);
    Set<String> before = reasons.remove(unit);
    if (before != null) {
      before.forEach(other -> byReason.forget(other, unit));
    }
  }

  Set<UnitName> waitingOn(UnitName unit) {
    return byReason.of(unit.value());
  }

  Set<UnitName> waitingForRoom() {
    return new HashSet<>(forRoom);
  }

  void clear() {
    reasons.clear();
    byReason.clear();
    forRoom.clear();
  }

  Set<UnitName> all() {
    return new HashSet<>(reasons.keySet());
  }
}
