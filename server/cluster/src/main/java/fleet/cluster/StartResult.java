package fleet.cluster;

/** The result of a command that starts a unit once more. */
public enum StartResult {
  /** The machine will be told. */
  ACCEPTED,
  /** It runs, and starting it again would change nothing. */
  RUNNING,
  /** There is no such unit. */
  UNKNOWN,
  /** Its desired state is not launched. */
  NOT_LAUNCHED
}
