package fleet.registry.embedded;

import fleet.registry.RegistryException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Explains faults of the files of one registry, and what to do. */
record FileFaults(Path directory) {

  RegistryException damaged(String file, String what) {
    return new RegistryException(damage(file, what));
  }

  private String damage(String file, String what) {
    return "registry refused: %s %s; restore a backup of %s, or move it away to start empty"
        .formatted(directory.resolve(file), what, directory);
  }

  RegistryException closed() {
    return new RegistryException("the registry in " + directory + " is closed");
  }

  /** The fault of an operation of SQLite, which has been undone. */
  RegistryException of(SQLException fault) {
    return new RegistryException(message(fault), fault);
  }

  private String message(SQLException fault) {
    return switch (primary(fault)) {
      case SQLITE_FULL ->
          "nothing written: the disk of the registry in %s is full; make room there"
              .formatted(directory);
      case SQLITE_CORRUPT, SQLITE_NOTADB ->
          damage(RegistryFiles.DATABASE, "is damaged: " + fault.getMessage());
      case SQLITE_BUSY, SQLITE_LOCKED ->
          "nothing written: another program holds %s open for writing; end it"
              .formatted(directory.resolve(RegistryFiles.DATABASE));
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM ->
          "the registry in %s cannot be opened or written (%s); check owner and permissions"
              .formatted(directory, fault.getMessage());
      case SQLITE_IOERR ->
          "nothing written: input/output error on the registry in %s (%s); check the disk"
              .formatted(directory, fault.getMessage());
      default -> "the registry in %s failed: %s".formatted(directory, fault.getMessage());
    };
  }

  static SQLiteErrorCode primary(SQLException fault) {
    int code = fault instanceof SQLiteException e ? e.getResultCode().code : fault.getErrorCode();
    return SQLiteErrorCode.getErrorCode(code & 0xff);
  }
}
