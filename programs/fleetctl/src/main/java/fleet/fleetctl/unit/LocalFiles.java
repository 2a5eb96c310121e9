package fleet.fleetctl.unit;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Unit files on this machine. */
final class LocalFiles {

  private LocalFiles() {}

  /** A file that was found, and its text. */
  record Found(Path path, UnitFile file) {}

  /**
   * Reads a unit file.
   *
   * @return empty if there is none at the path
   * @throws UnitProblemException if there is one that is no unit file
   */
  static Optional<Found> read(Path path) throws UnitProblemException {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    if (Files.isDirectory(path)) {
      throw new UnitProblemException(path + " is a directory, not a unit file");
    }
    // To open a pipe that nobody writes to would take for ever.
    if (!Files.isRegularFile(path)) {
      throw new UnitProblemException(path + " is a pipe or a device, not a unit file");
    }
    String text = text(path);
    try {
      UnitFile file = UnitFile.parse(text);
      if (file.options().isEmpty()) {
        requireSection(path, text);
      }
      return Optional.of(new Found(path, file));
    } catch (UnitFileSyntaxException e) {
      throw new UnitProblemException(withPlace(path, e), e);
    }
  }

  /** Lines above the first section are read by nobody; without any, the file only looks empty. */
  private static void requireSection(Path path, String text) throws UnitProblemException {
    List<String> lines =
        text.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith(";"))
            .toList();
    if (!lines.isEmpty() && lines.stream().noneMatch(line -> line.startsWith("["))) {
      throw new UnitProblemException(
          path + " has no [Section]: its options need one above them, such as [Service]");
    }
  }

  private static String withPlace(Path path, UnitFileSyntaxException e) {
    String message = String.valueOf(e.getMessage());
    String place = "line " + e.line() + ": ";
    return message.startsWith(place)
        ? path + ":" + e.line() + ": " + message.substring(place.length())
        : path + ": " + message;
  }

  private static String text(Path path) throws UnitProblemException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(UnitFile.MAX_BYTES + 1);
      if (bytes.length > UnitFile.MAX_BYTES) {
        throw new UnitProblemException(
            path + " is too long for a unit file: more than " + UnitFile.MAX_BYTES + " bytes");
      }
      return UnitFile.decode(bytes);
    } catch (AccessDeniedException e) {
      throw new UnitProblemException("not permitted to read " + path, e);
    } catch (IOException e) {
      throw new UnitProblemException("cannot read " + path + ": " + e.getMessage(), e);
    }
  }
}
