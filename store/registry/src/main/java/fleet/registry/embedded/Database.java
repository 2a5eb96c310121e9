package fleet.registry.embedded;

import fleet.registry.Entry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/** The shape of the database, and connections to it. */
final class Database {

  /** "flt2"; tells a registry from anybody else's database. */
  static final int APPLICATION_ID = 0x666c7432;

  /** Raised when an older fleet must not open the database. */
  static final int FORMAT = 1;

  /** Half of SQLite's default, as fleetd is to stay small; in KiB. */
  private static final int CACHE = 1024;

  /** How long to wait for another program that looks into the database, in milliseconds. */
  private static final int BUSY_TIMEOUT = 5_000;

  /** To what the log is cut when it starts a new round, in bytes. */
  private static final int LOG_LIMIT = 8 << 20;

  private static final String[] TABLES = {
    """
    CREATE TABLE store (
      one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, revision INTEGER NOT NULL,
      entries INTEGER NOT NULL, sum INTEGER NOT NULL, checksum INTEGER NOT NULL)
    """,
    """
    CREATE TABLE entries (
      key TEXT PRIMARY KEY, value TEXT NOT NULL, created INTEGER NOT NULL,
      modified INTEGER NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID
    """
  };

  private Database() {}

  /** Makes a database with an empty store; all is in the one file when this returns. */
  static void create(Path file, StoreState state) throws SQLException {
    try (Connection connection = connect(file, false);
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA application_id = " + APPLICATION_ID);
      statement.execute("PRAGMA user_version = " + FORMAT);
      for (String table : TABLES) {
        statement.execute(table);
      }
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO store VALUES (1, ?, ?, ?, ?, ?)")) {
        insert.setString(1, state.id());
        insert.setLong(2, state.revision());
        insert.setLong(3, state.entries());
        insert.setLong(4, state.sum());
        insert.setLong(5, state.checksum());
        insert.executeUpdate();
      }
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  /**
   * Opens for reading only. Such a connection leaves database and log as they are, also when it is
   * the last to close.
   */
  static Connection openForReading(Path file) throws SQLException {
    return connect(file, true);
  }

  static Connection openForWriting(Path file) throws SQLException {
    return connect(file, false);
  }

  /** Removes all former content from the file and its log. */
  static void rewrite(Path file) throws SQLException {
    try (Connection connection = connect(file, false);
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA secure_delete = ON");
      statement.execute("VACUUM");
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  private static Connection connect(Path file, boolean readOnly) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(readOnly);
    config.setBusyTimeout(BUSY_TIMEOUT);
    config.setCacheSize(-CACHE);
    config.setTempStore(SQLiteConfig.TempStore.MEMORY);
    if (!readOnly) {
      config.setJournalMode(SQLiteConfig.JournalMode.WAL);
      config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
      config.setJournalSizeLimit(LOG_LIMIT);
    }
    return config.createConnection("jdbc:sqlite:" + file);
  }

  /** The row that sums up the store; null if it is gone or does not match its checksum. */
  static @Nullable StoreState state(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT id, revision, entries, sum, checksum FROM store")) {
      if (!row.next() || row.getString(1) == null) {
        return null;
      }
      StoreState state =
          new StoreState(row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4));
      return row.getLong(5) == state.checksum() ? state : null;
    }
  }

  /**
   * The entry of a row of key, value, created, modified and checksum; null if it does not match its
   * checksum.
   */
  static @Nullable Entry entry(ResultSet row) throws SQLException {
    String key = row.getString(1);
    String value = row.getString(2);
    if (key == null || value == null) {
      return null;
    }
    Entry entry = new Entry(key, value, row.getLong(3), row.getLong(4));
    return row.getLong(5) == checksum(entry) ? entry : null;
  }

  static long checksum(Entry entry) {
    int content = Checksum.ofContent(entry.key(), entry.value());
    return Checksum.ofRow(content, entry.created(), entry.modified());
  }
}
