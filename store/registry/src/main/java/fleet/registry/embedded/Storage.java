package fleet.registry.embedded;

import fleet.registry.RegistryException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open files of a registry, inspected and found good. */
record Storage(
    FileFaults faults,
    StoreState state,
    DatabaseReader reader,
    WriteConnection writer,
    AcknowledgedRevision acknowledged) {

  private static final Logger log = LoggerFactory.getLogger(Storage.class);

  /**
   * Opens what is there, or makes it.
   *
   * @throws RegistryException if it is damaged
   */
  static Storage open(RegistryFiles files) {
    FileFaults faults = new FileFaults(files.directory());
    try {
      Optional<String> expected = files.text(RegistryFiles.STORE_ID).map(String::strip);
      if (!files.exists(RegistryFiles.DATABASE)) {
        refuseToReplace(files, faults, expected);
        create(files);
      }
      Inspection inspection = new Inspection(files, faults);
      inspection.ofFiles();
      return open(files, faults, inspection, expected);
    } catch (SQLException e) {
      throw faults.of(e);
    }
  }

  private static void refuseToReplace(
      RegistryFiles files, FileFaults faults, Optional<String> expected) {
    expected.ifPresent(id -> {
      throw faults.damaged(
          RegistryFiles.DATABASE, "is gone, though registry %s was made here".formatted(id));
    });
    if (files.size(RegistryFiles.LOG) > 0 || files.exists(RegistryFiles.ACKNOWLEDGED)) {
      throw faults.damaged(RegistryFiles.DATABASE, "is gone, though files of it are left");
    }
  }

  private static void create(RegistryFiles files) throws SQLException {
    files.deleteUnfinished(RegistryFiles.DATABASE);
    files.createUnfinished(RegistryFiles.DATABASE);
    Database.create(
        files.path(RegistryFiles.DATABASE + RegistryFiles.UNFINISHED),
        new StoreState(UUID.randomUUID().toString(), 0, 0, 0));
    files.finish(RegistryFiles.DATABASE);
  }

  private static Storage open(
      RegistryFiles files, FileFaults faults, Inspection inspection, Optional<String> expected)
      throws SQLException {
    Connection reading = Database.openForReading(files.path(RegistryFiles.DATABASE));
    try {
      StoreState state = inspection.ofContent(reading);
      checkStoreId(faults, state, expected);
      inspection.ofAcknowledged(state);
      if (expected.isEmpty()) {
        noteStoreId(files, state);
      }
      return openForWriting(files, faults, state, reading);
    } catch (SQLException | RuntimeException e) {
      reading.close();
      throw e;
    }
  }

  /** Only now: a connection that may write may also empty the log when it closes. */
  private static Storage openForWriting(
      RegistryFiles files, FileFaults faults, StoreState state, Connection reading)
      throws SQLException {
    Connection writing = Database.openForWriting(files.path(RegistryFiles.DATABASE));
    try {
      return new Storage(
          faults,
          state,
          new DatabaseReader(reading, faults),
          new WriteConnection(writing),
          AcknowledgedRevision.open(files, state.id(), state.revision()));
    } catch (SQLException | RuntimeException e) {
      writing.close();
      throw e;
    }
  }

  private static void checkStoreId(FileFaults faults, StoreState state, Optional<String> expected) {
    expected
        .filter(id -> !id.equals(state.id()))
        .ifPresent(id -> {
          throw faults.damaged(
              RegistryFiles.DATABASE,
              "holds store %s, but store-id names %s".formatted(state.id(), id));
        });
  }

  /** Written after the database, so that a crash in between leaves a registry that opens. */
  private static void noteStoreId(RegistryFiles files, StoreState state) {
    files.create(RegistryFiles.STORE_ID, state.id() + "\n");
    log.info("registry {} in {}", state.id(), files.directory());
  }

  /** Moves the log into the database, so that the next start has nothing to catch up with. */
  void close() throws SQLException, IOException {
    try (acknowledged;
        writer) {
      reader.close();
      writer.emptyLog();
    }
  }
}
