package fleet.engine;

/** The state that a reader accepts. */
enum ReadConsistency {
  /** The state of this fleetd's engine, which must lead. */
  LEADER,
  /** The state of the engine while it leads, else one that is loaded for readers. */
  ANYBODY
}
