package fleet.cluster;

/** The result of asking for a rollout. */
public enum RolloutResult {
  STARTED,
  /** All units have that content already. */
  NOTHING_TO_DO,
  /** There is no such unit, and no instance of such a template. */
  UNKNOWN,
  /** One of the same name gives another content, and is not paused. */
  UNDER_WAY,
  /** One of the same name gives the same content, be it paused or on its way back. */
  FOLLOWED,
  /** It is a global unit, or would become one or cease to be one. */
  GLOBAL,
  /** So many units are not changed by one rollout. */
  TOO_MANY
}
