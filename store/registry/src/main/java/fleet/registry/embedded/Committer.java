package fleet.registry.embedded;

import fleet.registry.CommitQueue;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.Threads;
import fleet.registry.Transaction;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;

/**
 * The one thread that writes. It takes all commits that wait into one SQLite transaction, so that
 * they share one forcing of the disk, and acknowledges them when that is done.
 *
 * <p>A batch that fails is undone, and its commits are tried one by one, so that a commit too large
 * for the disk fails alone.
 */
final class Committer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Committer.class);

  /** Commits per batch: bounds what the slowest of them waits for. */
  private static final int MAX_BATCH = 256;

  private final CommitQueue<PendingCommit> waiting;
  private final WriteConnection database;
  private final AcknowledgedRevision acknowledged;
  private final ChangeLog changes;
  private final FileFaults faults;
  private final Thread thread;
  private StoreState state;
  private boolean doubtfulLog;

  Committer(
      WriteConnection database,
      AcknowledgedRevision acknowledged,
      ChangeLog changes,
      StoreState state,
      FileFaults faults) {
    this.database = database;
    this.acknowledged = acknowledged;
    this.changes = changes;
    this.state = state;
    this.faults = faults;
    this.waiting = new CommitQueue<>(faults::closed);
    // A platform thread: SQLite's calls into the disk would hold a carrier of virtual threads.
    this.thread = Thread.ofPlatform().name("registry-writer").daemon().start(this::run);
  }

  /** Waits for all of them; throws what the first failed one met. */
  List<Outcome> commit(List<Transaction> transactions) {
    return waiting.commit(transactions.stream().map(PendingCommit::of).toList());
  }

  private void run() {
    List<PendingCommit> batch = take();
    while (!batch.isEmpty()) {
      if (!attempt(batch)) {
        batch.forEach(commit -> attempt(List.of(commit)));
      }
      batch = take();
    }
  }

  /** Waits for commits; none when closed and all are done. */
  private List<PendingCommit> take() {
    List<PendingCommit> batch = new ArrayList<>();
    waiting.take(commit -> batch.size() < MAX_BATCH && batch.add(commit));
    return batch;
  }

  /** False if several failed together and are to be tried one by one. */
  private boolean attempt(List<PendingCommit> commits) {
    Batch batch = new Batch(database, state);
    try {
      carryOut(commits, batch);
    } catch (SQLException e) {
      return failed(commits, faults.of(e));
    } catch (RuntimeException | Error e) {
      return failed(commits, new RegistryException("nothing written: " + e, e));
    }
    // Only an Error can come out of this, which ends fleetd: it only completes futures, and waiters
    // continue on threads of their own.
    batch.tell(changes);
    return true;
  }

  private void carryOut(List<PendingCommit> commits, Batch batch) throws SQLException {
    settleLog();
    try {
      database.begin();
      for (PendingCommit commit : commits) {
        batch.decide(commit);
      }
      if (!batch.writes()) {
        database.rollback();
        return;
      }
      database.sumUp(batch.state());
      makeDurable();
    } catch (SQLException | RuntimeException | Error e) {
      undo(e);
      throw e;
    }
    state = batch.state();
    try {
      acknowledged.write(state.revision());
    } catch (IOException e) {
      log.warn("registry: cannot note revision {} as acknowledged", state.revision(), e);
    }
  }

  private void makeDurable() throws SQLException {
    try {
      database.commit();
    } catch (SQLException e) {
      doubtfulLog = FileFaults.primary(e) != SQLiteErrorCode.SQLITE_FULL;
      throw e;
    }
  }

  private void undo(Throwable fault) {
    try {
      database.rollback();
      settleLog();
    } catch (SQLException e) {
      fault.addSuppressed(e);
    }
  }

  /**
   * When forcing the log to the disk fails, its last transaction is whole in the file though it was
   * never acknowledged, and a crash would bring it to life. So nothing else is written before the
   * log has been emptied.
   */
  private void settleLog() throws SQLException {
    if (doubtfulLog) {
      if (!database.emptyLog()) {
        throw new SQLException("a write failed, and the log cannot be emptied yet; try again");
      }
      doubtfulLog = false;
    }
  }

  private static boolean failed(List<PendingCommit> commits, RegistryException fault) {
    if (commits.size() > 1) {
      return false;
    }
    commits.forEach(commit -> commit.outcome().completeExceptionally(fault));
    return true;
  }

  /** Finishes what has been asked for, then ends. */
  @Override
  public void close() {
    waiting.close();
    Threads.join(thread);
  }
}
