package fleet.registry.embedded;

import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Checks a whole registry before it is used, and changes nothing. */
final class Inspection {

  private final RegistryFiles files;
  private final FileFaults faults;

  Inspection(RegistryFiles files, FileFaults faults) {
    this.files = files;
    this.faults = faults;
  }

  /**
   * Looks at the files, before SQLite opens them.
   *
   * @throws RegistryException if they are damaged
   */
  void ofFiles() {
    int pageSize = DatabaseHeader.check(files, faults);
    if (files.exists(RegistryFiles.LOG)) {
      try {
        LogInspection.of(files.path(RegistryFiles.LOG), pageSize)
            .ifPresent(what -> {
              throw faults.damaged(RegistryFiles.LOG, what);
            });
      } catch (IOException e) {
        throw RegistryFiles.unusable(files.path(RegistryFiles.LOG), e);
      }
    }
  }

  /**
   * Looks at every page and every row.
   *
   * @throws RegistryException if something is damaged
   */
  StoreState ofContent(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA cell_size_check = ON");
      checkPages(statement);
      StoreState state = Database.state(connection);
      if (state == null) {
        throw damaged("the row about the store does not match its checksum");
      }
      checkRows(statement, state);
      return state;
    }
  }

  private void checkPages(Statement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery("PRAGMA integrity_check(1)")) {
      String verdict = result.next() ? result.getString(1) : "no verdict";
      if (!"ok".equals(verdict)) {
        throw damaged(verdict.replaceAll("\\s+", " "));
      }
    }
  }

  private void checkRows(Statement statement, StoreState state) throws SQLException {
    StoreState seen = new StoreState(state.id(), state.revision(), 0, 0);
    try (ResultSet rows =
        statement.executeQuery("SELECT key, value, created, modified, checksum FROM entries")) {
      while (rows.next()) {
        Entry entry = Database.entry(rows);
        if (entry == null) {
          throw damaged("row %s does not match its checksum".formatted(rows.getString(1)));
        }
        seen = seen.plus(rows.getLong(5));
      }
    }
    if (!seen.equals(state)) {
      throw damaged(
          "%d rows instead of %d, or other ones".formatted(seen.entries(), state.entries()));
    }
  }

  /**
   * Compares with the acknowledged revision.
   *
   * @throws RegistryException if less is left
   */
  void ofAcknowledged(StoreState state) {
    long acknowledged = AcknowledgedRevision.read(files, state.id()).orElse(state.revision());
    if (state.revision() < acknowledged) {
      throw new RegistryException(
          ("registry refused: the end of %s or %s is damaged or missing: revision %d was"
                  + " acknowledged, %d is what is left; restore a backup of %s, or delete %s to go"
                  + " on with what is left")
              .formatted(
                  files.path(RegistryFiles.LOG),
                  RegistryFiles.DATABASE,
                  acknowledged,
                  state.revision(),
                  files.directory(),
                  files.path(RegistryFiles.ACKNOWLEDGED)));
    }
  }

  private RegistryException damaged(String what) {
    return faults.damaged(RegistryFiles.DATABASE, "is damaged: " + what);
  }
}
