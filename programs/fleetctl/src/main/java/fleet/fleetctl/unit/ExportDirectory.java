package fleet.fleetctl.unit;

import fleet.fleetctl.output.FileErrors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Writes unit files into a directory: none outside of it, and none over another unasked. */
public final class ExportDirectory {

  private final Path directory;
  private final boolean replace;

  /** The outcome for a unit. */
  public enum Written {
    NEW,
    SAME,
    REPLACED
  }

  /**
   * Makes the directory, if there is none.
   *
   * @param replace whether files with another text are overwritten
   */
  public ExportDirectory(Path directory, boolean replace) throws UnitProblemException {
    this.directory = directory;
    this.replace = replace;
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory);
      }
    } catch (FileAlreadyExistsException e) {
      throw new UnitProblemException(e.getFile() + " is no directory", e);
    } catch (IOException e) {
      throw new UnitProblemException(
          "cannot make the directory " + directory + ": " + FileErrors.reason(e), e);
    }
  }

  /**
   * Writes the file of a unit.
   *
   * @throws UnitProblemException if another file is there, or it cannot be written
   */
  public Written write(ExportedUnit unit) throws UnitProblemException {
    Path file = directory.resolve(unit.name().value());
    byte[] text = unit.text().getBytes(StandardCharsets.UTF_8);
    try {
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        // Fails on a link as well, wherever that leads.
        Files.write(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return Written.NEW;
      }
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new UnitProblemException(
            file + " is a link or no file at all, and nothing is written to it: remove it");
      }
      if (isSame(file, text)) {
        return Written.SAME;
      }
      if (!replace) {
        throw new UnitProblemException(
            file + " is there with another text: --replace overwrites it");
      }
      replace(file, text);
      return Written.REPLACED;
    } catch (IOException e) {
      throw new UnitProblemException("cannot write " + file + ": " + FileErrors.reason(e), e);
    }
  }

  private static boolean isSame(Path file, byte[] text) throws IOException {
    return Files.size(file) == text.length && Arrays.equals(Files.readAllBytes(file), text);
  }

  /** Whole or not at all; a link that comes there meanwhile is replaced, and not followed. */
  private void replace(Path file, byte[] text) throws IOException {
    Path written = Files.createTempFile(directory, ".", ".export");
    try {
      Files.write(written, text);
      Files.setPosixFilePermissions(written, Files.getPosixFilePermissions(file));
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(written);
    }
  }
}
