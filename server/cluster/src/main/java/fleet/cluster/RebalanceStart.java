package fleet.cluster;

/**
 * The result of asking for a rebalance.
 *
 * @param text for people; if one has begun, why machines will not be as even as asked for, or
 *     nothing
 */
public record RebalanceStart(Kind kind, String text) {

  /** Whether one has begun. */
  public enum Kind {
    BEGUN,
    /** No unit has to move, or none may. */
    NOTHING,
    /** One that was asked for before has not ended yet. */
    UNDER_WAY,
    /** The cluster's strategy does not spread units. */
    REFUSED
  }
}
