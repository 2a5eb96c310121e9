package fleet.simulation;

/** How machines and the leader of a world speak to each other. */
public enum Coordination {
  /** Through the store alone. */
  STORE,
  /** Machines hold a stream to the leader, and go through the store if that does not work. */
  RPC,
  /** Now one and now the other: each fleetd that starts has either. */
  MIXED
}
