package fleet.cluster;

/**
 * What became of the wish for a rebalance.
 *
 * @param text what is to be said of it, for people; of one that has begun, why machines will not be
 *     as even as asked for, or nothing
 */
public record RebalanceStart(Kind kind, String text) {

  /** Whether one has begun. */
  public enum Kind {
    BEGUN,
    /** No unit has to move, or none may. */
    NOTHING,
    /** One that was asked for before has not ended yet. */
    UNDER_WAY,
    /** The cluster is not to be even. */
    REFUSED
  }
}
