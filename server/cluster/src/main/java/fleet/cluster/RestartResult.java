package fleet.cluster;

/** The result of asking for a restart in turns. */
public enum RestartResult {
  STARTED,
  /** One of the same unit is under way, and not paused. */
  FOLLOWED,
  /** There is no such unit. */
  UNKNOWN,
  /** The unit is not global. */
  NOT_GLOBAL,
  /** The desired state is not launched. */
  NOT_LAUNCHED,
  /** A rollout of the unit is not over. */
  ROLLOUT_UNDER_WAY
}
