package fleet.cluster;

/** The result of asking for a rollout. */
public enum RolloutResult {
  STARTED,
  /** All units have that content already. */
  NOTHING_TO_DO,
  /** There is no such unit, and no instance of such a template. */
  UNKNOWN,
  /** A rollout of the same name to another content is under way, and not paused. */
  UNDER_WAY,
  /** A global unit of which a restart in turns is not over. */
  RESTARTING,
  /** A rollout of the same name and content is under way, paused, or being reverted. */
  FOLLOWED,
  /** It would become a global unit, or cease to be one. */
  GLOBAL,
  /** A global unit that is neither loaded nor launched. */
  NOT_WANTED,
  /** There are too many units for one rollout. */
  TOO_MANY
}
