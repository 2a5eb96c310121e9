package fleet.simulation;

import java.util.Set;

/**
 * Faults of the code as it is that the simulation finds and that are not mended yet. What one of
 * them explains is written into the trace and fails no run. Whoever mends one deletes it here.
 */
public enum KnownFault {
  /** What was stopped while its machine was cut off counts as that, though it was started since. */
  TAKEN_BACK_THOUGH_STARTED_SINCE,
  /** A unit that has ended, or ends as it is moved, runs once more where it comes to. */
  RUNS_AGAIN_WHERE_IT_MOVES,
  /** The rollouts of a template and of one of its instances undo each other's work, for ever. */
  TWO_ROLLOUTS_OF_ONE_UNIT,
  /**
   * The end of a machine's record in the store counts as its silence, though it has spoken to a
   * leader since: it belongs to the boot before, or to the way that the machine has left.
   */
  SILENCE_IN_THE_OTHER_WAY,
  /** The offer of a unit whose old state is just going is withdrawn, and nobody makes another. */
  OFFER_FORGOTTEN,
  /** A drain does not know of what a rollout is writing. */
  ROLLOUT_AND_DRAIN_TOGETHER;

  /** All of them. */
  public static final Set<KnownFault> ALL = Set.of(values());
}
