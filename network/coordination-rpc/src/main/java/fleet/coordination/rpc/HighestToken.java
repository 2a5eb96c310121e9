package fleet.coordination.rpc;

/**
 * The highest token that a machine has heard of, within one store: no leader with a lower one is
 * obeyed. Safe for use by many threads.
 */
final class HighestToken {

  private String store = "";
  private long token;

  /** Whether whoever speaks with that token may be the leader; a new store begins anew. */
  synchronized boolean admits(String of, long spoken) {
    if (of.equals(store) && spoken < token) {
      return false;
    }
    store = of;
    token = spoken;
    return true;
  }

  /** The highest of a store; 0 if nothing was heard of it. */
  synchronized long of(String other) {
    return other.equals(store) ? token : 0;
  }
}
