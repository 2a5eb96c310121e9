package fleet.coordination.rpc;

/**
 * The highest token that a machine has seen, within one store: it obeys no leader with a lower one.
 * Safe for use by many threads.
 */
final class HighestToken {

  private String store = "";
  private long token;

  /** Whether a sender with that token may be the leader; a new store resets it. */
  synchronized boolean admits(String of, long spoken) {
    if (of.equals(store) && spoken < token) {
      return false;
    }
    store = of;
    token = spoken;
    return true;
  }

  /** The highest token of a store; 0 if there is none yet. */
  synchronized long of(String other) {
    return other.equals(store) ? token : 0;
  }
}
