package fleet.registry.etcd;

import fleet.registry.CommitQueue;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Condition;
import fleet.registry.Transaction.Write;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * A transaction on its way to etcd, and the answer on its way back.
 *
 * @param bytes about how large it is in a request
 * @param operations the longest list in it, which etcd limits
 * @param deadline from {@link EtcdClient#nanoTime}: it is not sent any more after that
 */
record PendingEtcdCommit(
    Transaction transaction,
    Set<String> conditioned,
    Set<String> written,
    long bytes,
    int operations,
    long deadline,
    CompletableFuture<Outcome> outcome)
    implements CommitQueue.Commit {

  private static final int BYTES_PER_OPERATION = 64;

  /**
   * @throws IllegalArgumentException if a key is reserved, or a text is not valid Unicode
   */
  static PendingEtcdCommit of(Transaction transaction, KeySpace keys, long deadline) {
    Set<String> conditioned =
        transaction.conditions().stream()
            .map(Condition::key)
            .collect(Collectors.toUnmodifiableSet());
    Set<String> written =
        transaction.writes().stream().map(Write::key).collect(Collectors.toUnmodifiableSet());
    // One more for the note by which the commit is recognised.
    int operations = Math.max(transaction.conditions().size(), transaction.writes().size() + 1);
    return new PendingEtcdCommit(
        transaction,
        conditioned,
        written,
        bytes(transaction, keys),
        operations,
        deadline,
        new CompletableFuture<>());
  }

  private static long bytes(Transaction transaction, KeySpace keys) {
    long bytes = 0;
    for (Condition condition : transaction.conditions()) {
      bytes += 2L * (keys.key(condition.key()).size() + BYTES_PER_OPERATION);
    }
    for (Write write : transaction.writes()) {
      if (KeySpace.isOwn(write.key())) {
        throw new IllegalArgumentException("the registry keeps for itself: " + write.key());
      }
      bytes += keys.key(write.key()).size() + BYTES_PER_OPERATION;
      if (write instanceof Write.Put put) {
        bytes += KeySpace.value(put.value()).size();
      }
    }
    return bytes;
  }

  boolean writes() {
    return !transaction.writes().isEmpty();
  }

  boolean puts() {
    return transaction.writes().stream().anyMatch(Write.Put.class::isInstance);
  }

  /** Whether it writes keys that end with a lease. */
  boolean leases() {
    return transaction.writes().stream()
        .anyMatch(write -> write instanceof Write.Put put && put.lease() != 0);
  }

  List<Condition> conditions() {
    return transaction.conditions();
  }

  void fail(RuntimeException why) {
    outcome.completeExceptionally(why);
  }
}
