package fleet.engine.state;

/** The transport of a machine's presence and reports. */
public enum ReportPath {
  /** By keys of the store. */
  STORE,
  /** To the leader itself. */
  DIRECT;

  /** The other one of the two. */
  public ReportPath other() {
    return this == STORE ? DIRECT : STORE;
  }
}
