package fleet.engine;

import fleet.core.machine.Machine;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Acts on the state of the cluster. Called on the loop of its {@link StateLoader} alone. */
interface StateListener {

  /** A unit's entry in the schedule of a machine came, went or changed. */
  default void scheduled(UnitName unit, String machine) {}

  default void globalChanged(UnitName unit) {}

  /**
   * A machine is described, be it otherwise than before or not.
   *
   * @param came whether it was not there before
   */
  default void machineChanged(Machine machine, boolean came) {}

  /**
   * A machine went.
   *
   * @param before empty if nothing was known of it but that it is there
   * @param left whether it said that it goes
   */
  default void machineWent(String id, Optional<Machine> before, boolean left) {}

  /**
   * Two machines of one id are there; the one that came later is not taken in.
   *
   * @param there the one that stays
   */
  default void twin(Machine refused, Machine there) {}

  /** A machine is there no more in the way in which it spoke to the leader itself. */
  default void silent(String id) {}

  /**
   * Machines that are there may be about to go with the one that goes next.
   *
   * @param within when that is known
   */
  default void machinesDoubtful(Set<String> ids, Duration within) {}

  default void leaderChanged(Optional<Entry> leader) {}

  /** Rescheduling pauses, or goes on, as the store has it. */
  default void pauseChanged() {}

  /** A rollout is another than it was, or there no more. */
  default void rolloutChanged(UnitName name) {}

  /** There is another rebalance, or something else to say of it. */
  default void rebalanceChanged() {}

  /** Whether this listener decides, be there a leader's key or not. */
  default boolean leads() {
    return false;
  }

  /** A key of the registry cannot be read. */
  default void unreadable(String what) {}

  /**
   * All that came in is in the state.
   *
   * @param revision of the registry up to which the state has it
   */
  void onBatch(long revision);

  /** The state can follow no longer; a new one must be loaded. */
  void ended(String why);
}
