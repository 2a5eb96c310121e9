package fleet.chaos;

/**
 * Something that was done to the cluster.
 *
 * @param what for people
 * @param where the machine's name, or {@code etcd}
 * @param during from its begin until it was undone
 * @param losesMachine whether the machine may be taken for lost, and its units be started elsewhere
 */
record Disturbance(String what, String where, Span during, boolean losesMachine) {

  static final String ETCD = "etcd";

  /** Whether it hits all machines at once. */
  boolean isOfAll() {
    return where.equals(ETCD);
  }
}
