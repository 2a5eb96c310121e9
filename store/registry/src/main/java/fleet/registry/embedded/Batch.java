package fleet.registry.embedded;

import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Transaction.Condition;
import fleet.registry.Transaction.Write;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Commits that become durable together, decided one after the other. A refused one has written
 * nothing by the time it is refused, so it needs no undoing.
 */
final class Batch {

  /** A decision to be announced once the batch is durable. */
  record Decided(PendingCommit commit, Outcome outcome, List<Change> changes) {}

  private final WriteConnection database;
  private final List<Decided> decided = new ArrayList<>();
  private StoreState state;

  Batch(WriteConnection database, StoreState state) {
    this.database = database;
    this.state = state;
  }

  StoreState state() {
    return state;
  }

  void decide(PendingCommit commit) throws SQLException {
    for (Condition condition : commit.transaction().conditions()) {
      if (!holds(condition)) {
        var refused = new Outcome.Refused(state.revision(), condition);
        decided.add(new Decided(commit, refused, List.of()));
        return;
      }
    }
    List<Change> changes = new ArrayList<>();
    long revision = state.revision() + 1;
    for (PendingCommit.CheckedWrite checked : commit.writes()) {
      switch (checked.write()) {
        case Write.Put put -> changes.add(put(put, checked.checksum(), revision));
        case Write.Delete delete -> delete(delete.key()).ifPresent(changes::add);
      }
    }
    if (!changes.isEmpty()) {
      state = state.at(revision);
    }
    decided.add(new Decided(commit, new Outcome.Committed(state.revision()), changes));
  }

  private boolean holds(Condition condition) throws SQLException {
    Optional<Row> row = database.find(condition.key());
    return switch (condition) {
      case Condition.Absent absent -> row.isEmpty();
      case Condition.Unmodified it -> row.filter(r -> r.modified() == it.modified()).isPresent();
      case Condition.CreatedAt it -> row.filter(r -> r.created() == it.created()).isPresent();
    };
  }

  private Change put(Write.Put put, int content, long revision) throws SQLException {
    Optional<Row> old = database.find(put.key());
    old.ifPresent(row -> state = state.minus(row.checksum()));
    long created = old.map(Row::created).orElse(revision);
    Row row = new Row(created, revision, Checksum.ofRow(content, created, revision));
    database.put(put.key(), put.value(), row);
    state = state.plus(row.checksum());
    return new Change.Written(new Entry(put.key(), put.value(), created, revision));
  }

  private Optional<Change> delete(String key) throws SQLException {
    Optional<Row> old = database.find(key);
    if (old.isPresent()) {
      database.delete(key);
      state = state.minus(old.get().checksum());
    }
    return old.map(row -> new Change.Deleted(key));
  }

  /** Whether anything is to be written. */
  boolean writes() {
    return decided.stream().anyMatch(one -> !one.changes().isEmpty());
  }

  /** Completes all commits, after watchers can see them. */
  void tell(ChangeLog log) {
    for (Decided one : decided) {
      if (!one.changes().isEmpty()) {
        log.append(new Delta(one.outcome().revision(), one.changes()));
      }
      one.commit().outcome().complete(one.outcome());
    }
  }
}
