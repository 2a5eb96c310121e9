package fleet.registry.embedded;

import fleet.registry.CommitQueue;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Write;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A transaction on its way to the writer, and the answer on its way back. */
record PendingCommit(
    Transaction transaction, List<CheckedWrite> writes, CompletableFuture<Outcome> outcome)
    implements CommitQueue.Commit {

  /** A write, with the checksum of its content: computed by the committer, not the writer. */
  record CheckedWrite(Write write, int checksum) {}

  /**
   * @throws IllegalArgumentException if a key or value is not valid Unicode
   */
  static PendingCommit of(Transaction transaction) {
    return new PendingCommit(
        transaction,
        transaction.writes().stream().map(PendingCommit::check).toList(),
        new CompletableFuture<>());
  }

  private static CheckedWrite check(Write write) {
    String value =
        switch (write) {
          case Write.Put put -> put.value();
          case Write.Delete delete -> "";
        };
    return new CheckedWrite(write, Checksum.ofContent(write.key(), value));
  }
}
