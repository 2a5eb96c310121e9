package fleet.engine;

import fleet.core.machine.Machine;
import fleet.core.operation.OperationId;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Acts on the state of the cluster. Called on the state thread alone. */
interface StateListener {

  /** A unit's entry in the schedule of a machine came, went or changed. */
  default void scheduled(UnitName unit, String machine) {}

  default void globalChanged(UnitName unit) {}

  /**
   * A machine is described, again or for the first time.
   *
   * @param came whether it was absent before
   */
  default void machineChanged(Machine machine, boolean came) {}

  /**
   * A machine left or vanished.
   *
   * @param before empty if only its presence was known
   * @param left whether it said that it goes
   */
  default void machineWent(String id, Optional<Machine> before, boolean left) {}

  /**
   * Two machines with one id are present; the later one is refused.
   *
   * @param there the one that stays
   */
  default void duplicate(Machine refused, Machine there) {}

  /** A machine no longer reports to the leader directly. */
  default void silent(String id) {}

  /**
   * Present machines may be about to vanish together with the next one.
   *
   * @param within when that is known
   */
  default void machinesDoubtful(Set<String> ids, Duration within) {}

  default void leaderChanged(Optional<Entry> leader) {}

  /** The settings of a machine have changed, present or not. */
  default void settingsChanged(String machine) {}

  /** The pause of rescheduling in the store has changed. */
  default void pauseChanged() {}

  /** An operation has changed, or is gone. */
  default void operationChanged(OperationId id) {}

  /** Whether this listener decides, with or without a leader's key. */
  default boolean leads() {
    return false;
  }

  /** A key of the registry cannot be read. */
  default void unreadable(String what) {}

  /**
   * The end of a turn: all changes received so far are in the state.
   *
   * @param revision of the registry that the state has reached
   */
  void onTurnEnd(long revision);

  /** The state can no longer follow the registry; a new one must be loaded. */
  void ended(String why);
}
