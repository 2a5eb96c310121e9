package fleet.engine;

/** The state that a reader accepts. */
enum ReadConsistency {
  /** That of this fleetd's engine, which leads. */
  LEADER,
  /** That of the engine while it leads, else one that is loaded for readers. */
  ANYBODY
}
