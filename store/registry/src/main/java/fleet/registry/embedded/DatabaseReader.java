package fleet.registry.embedded;

import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Reads what is durable, beside the writer and not held up by it. Safe for many threads. */
final class DatabaseReader implements AutoCloseable {

  private static final String COLUMNS =
      "SELECT key, value, created, modified, checksum FROM entries ";

  private final ReentrantLock lock = new ReentrantLock();
  private final Connection connection;
  private final PreparedStatement one;
  private final PreparedStatement from;
  private final FileFaults faults;
  private boolean closed;

  DatabaseReader(Connection connection, FileFaults faults) throws SQLException {
    this.connection = connection;
    this.faults = faults;
    this.one = connection.prepareStatement(COLUMNS + "WHERE key = ?");
    this.from = connection.prepareStatement(COLUMNS + "WHERE key >= ? ORDER BY key");
  }

  Optional<Entry> get(String key) {
    return locked(() -> {
      one.setString(1, key);
      try (ResultSet row = one.executeQuery()) {
        return row.next() ? Optional.of(entry(row)) : Optional.empty();
      }
    });
  }

  /** Keys are sorted by their bytes, so those with the prefix follow one another. */
  Snapshot read(String prefix) {
    return locked(() ->
        inTransaction(() -> {
          List<Entry> entries = new ArrayList<>();
          from.setString(1, prefix);
          try (ResultSet row = from.executeQuery()) {
            while (row.next() && row.getString(1).startsWith(prefix)) {
              entries.add(entry(row));
            }
          }
          return new Snapshot(state().revision(), entries);
        }));
  }

  long revision() {
    return locked(() -> state().revision());
  }

  private Entry entry(ResultSet row) throws SQLException {
    Entry entry = Database.entry(row);
    if (entry == null) {
      throw damaged("row %s".formatted(row.getString(1)));
    }
    return entry;
  }

  private StoreState state() throws SQLException {
    StoreState state = Database.state(connection);
    if (state == null) {
      throw damaged("the row about the store");
    }
    return state;
  }

  private RegistryException damaged(String what) {
    return faults.damaged(
        RegistryFiles.DATABASE, "is damaged: " + what + " does not match its checksum");
  }

  private interface Read<T> {
    T run() throws SQLException;
  }

  private <T> T inTransaction(Read<T> read) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("BEGIN");
      try {
        return read.run();
      } finally {
        statement.execute("COMMIT");
      }
    }
  }

  private <T> T locked(Read<T> read) {
    lock.lock();
    try {
      if (closed) {
        throw faults.closed();
      }
      return read.run();
    } catch (SQLException e) {
      throw faults.of(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws SQLException {
    lock.lock();
    try {
      closed = true;
      connection.close();
    } finally {
      lock.unlock();
    }
  }
}
