package fleet.testkit;

/** How machines and the leader speak to each other. */
public enum MachineTransport {
  /** Directly. */
  RPC,
  /** Through keys of etcd. */
  STORE;

  /** The line of {@code fleet.conf} that chooses it. */
  public String setting() {
    return "enable_grpc=" + (this == RPC);
  }
}
