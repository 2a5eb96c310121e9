package fleet.engine.state;

/** How a machine says that it is there, and reports. */
public enum Way {
  /** By keys of the store. */
  STORE,
  /** To the leader itself. */
  DIRECT;

  /** The other one of the two. */
  public Way other() {
    return this == STORE ? DIRECT : STORE;
  }
}
