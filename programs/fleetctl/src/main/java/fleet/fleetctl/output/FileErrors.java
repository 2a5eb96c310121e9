package fleet.fleetctl.output;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** The reasons of faults with files. Java's messages for some have the path alone. */
public final class FileErrors {

  private FileErrors() {}

  /** The reason for people, to go behind the name of the file and a colon. */
  public static String reason(IOException fault) {
    return switch (fault) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException e -> "there is no " + e.getFile();
      case FileAlreadyExistsException e -> e.getFile() + " is there already";
      case NotDirectoryException e -> e.getFile() + " is no directory";
      default -> fault.getMessage() == null ? fault.toString() : fault.getMessage();
    };
  }
}
