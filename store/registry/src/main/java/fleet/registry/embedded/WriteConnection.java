package fleet.registry.embedded;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** The one connection that writes; used by one thread. */
final class WriteConnection implements AutoCloseable {

  private final Connection connection;
  private final Statement statement;
  private final PreparedStatement find;
  private final PreparedStatement put;
  private final PreparedStatement delete;
  private final PreparedStatement sumUp;

  WriteConnection(Connection connection) throws SQLException {
    this.connection = connection;
    this.statement = connection.createStatement();
    this.find =
        connection.prepareStatement(
            "SELECT created, modified, checksum FROM entries WHERE key = ?");
    this.put =
        connection.prepareStatement(
            "INSERT OR REPLACE INTO entries (key, value, created, modified, checksum)"
                + " VALUES (?, ?, ?, ?, ?)");
    this.delete = connection.prepareStatement("DELETE FROM entries WHERE key = ?");
    this.sumUp =
        connection.prepareStatement(
            "UPDATE store SET revision = ?, entries = ?, sum = ?, checksum = ?");
  }

  void begin() throws SQLException {
    statement.execute("BEGIN IMMEDIATE");
  }

  /** Durable when this returns. */
  void commit() throws SQLException {
    statement.execute("COMMIT");
  }

  /** Undoes what was begun; does nothing if SQLite has already undone it. */
  void rollback() throws SQLException {
    try {
      statement.execute("ROLLBACK");
    } catch (SQLException e) {
      if (!String.valueOf(e.getMessage()).contains("no transaction is active")) {
        throw e;
      }
    }
  }

  /** Moves the log into the database and cuts it to nothing; false if readers are in the way. */
  boolean emptyLog() throws SQLException {
    try (ResultSet result = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
      return result.next() && result.getInt(1) == 0;
    }
  }

  Optional<Row> find(String key) throws SQLException {
    find.setString(1, key);
    try (ResultSet row = find.executeQuery()) {
      return row.next()
          ? Optional.of(new Row(row.getLong(1), row.getLong(2), row.getLong(3)))
          : Optional.empty();
    }
  }

  void put(String key, String value, Row row) throws SQLException {
    put.setString(1, key);
    put.setString(2, value);
    put.setLong(3, row.created());
    put.setLong(4, row.modified());
    put.setLong(5, row.checksum());
    put.executeUpdate();
  }

  void delete(String key) throws SQLException {
    delete.setString(1, key);
    delete.executeUpdate();
  }

  void sumUp(StoreState state) throws SQLException {
    sumUp.setLong(1, state.revision());
    sumUp.setLong(2, state.entries());
    sumUp.setLong(3, state.sum());
    sumUp.setLong(4, state.checksum());
    sumUp.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
