package fleet.registry.records;

import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.Optional;

/**
 * An operation that goes from machine to machine of a global unit; a rollout does so if it is of
 * one.
 */
public sealed interface GlobalOperation extends OperationRecord
    permits RestartRecord, RolloutRecord {

  /** The global unit. */
  UnitName name();

  /** The update, and how far it is; empty for the rollout of another unit or a template. */
  Optional<GlobalRollout> globalRollout();

  /** For how long the unit has to be active on a machine until the next one's turn comes. */
  Duration healthy();

  /** After how many machines it pauses; 0 if it does not. */
  int canaries();

  /** Whether it goes on though the unit is not healthy on a machine. */
  boolean acceptsFailureOn(String machine);

  /** The same, further on. */
  OperationRecord withGlobal(GlobalRollout now);

  /**
   * The same after a failure.
   *
   * @param machine its id
   * @param why for people
   */
  OperationRecord failed(String machine, String why);
}
