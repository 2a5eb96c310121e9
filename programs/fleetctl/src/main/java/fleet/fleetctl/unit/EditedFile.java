package fleet.fleetctl.unit;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.fleetctl.output.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The text of a unit in a file of its own, for an editor, in a directory that nobody else reads.
 * Copies that the editor leaves beside it mean nothing. Kept unless it is removed.
 */
public final class EditedFile {

  private final Path directory;
  private final Path file;

  private EditedFile(Path directory, Path file) {
    this.directory = directory;
    this.file = file;
  }

  /** Writes the text into a new file with the unit's name. */
  public static EditedFile of(UnitName name, String text) throws UnitProblemException {
    try {
      Path directory = Files.createTempDirectory("fleetctl-edit-");
      return new EditedFile(directory, Files.writeString(directory.resolve(name.value()), text));
    } catch (IOException e) {
      throw new UnitProblemException("cannot write a file to edit: " + FileErrors.reason(e), e);
    }
  }

  public Path path() {
    return file;
  }

  /** Whether it says something else by now. */
  public boolean differsFrom(String text) throws UnitProblemException {
    try (InputStream in = Files.newInputStream(file)) {
      String now = UnitFile.decode(in.readNBytes(UnitFile.MAX_BYTES + 1));
      return !now.equals(text);
    } catch (IOException e) {
      throw new UnitProblemException("cannot read " + file + ": " + FileErrors.reason(e), e);
    }
  }

  /** Removes it, with all that the editor has left. */
  public void remove() {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path one : files.toList()) {
        Files.deleteIfExists(one);
      }
      Files.deleteIfExists(directory);
    } catch (IOException | UncheckedIOException left) {
      // It is in the directory for temporary files, and only its owner reads it.
      return;
    }
  }
}
