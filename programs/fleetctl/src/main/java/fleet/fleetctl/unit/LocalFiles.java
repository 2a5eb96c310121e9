package fleet.fleetctl.unit;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Unit files on this machine. */
final class LocalFiles {

  private LocalFiles() {}

  /** A file that was found, and its text as it is written. */
  record Found(Path path, UnitFile file, String text) {}

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
    return Optional.of(new Found(path, parse(path.toString(), 0, text), text));
  }

  /**
   * Reads a unit file that came with others.
   *
   * @param path names it in messages
   * @throws UnitProblemException if it is none
   */
  static Found read(Path path, UnitDocument document) throws UnitProblemException {
    if (document.text().getBytes(StandardCharsets.UTF_8).length > UnitFile.MAX_BYTES) {
      throw tooLong(path);
    }
    String text = document.text();
    return new Found(path, parse(UnitStream.PLACE, document.linesBefore(), text), text);
  }

  private static UnitFile parse(String place, int linesBefore, String text)
      throws UnitProblemException {
    String own = StateLine.without(text);
    int before = linesBefore + (own.length() < text.length() ? 1 : 0);
    try {
      UnitFile file = UnitFile.typed(own);
      if (file.options().isEmpty()) {
        requireSection(place, text);
      }
      return file;
    } catch (UnitFileSyntaxException e) {
      throw new UnitProblemException(withPlace(place, before, e), e);
    }
  }

  /** Lines above the first section are read by nobody; without any, the file only looks empty. */
  private static void requireSection(String place, String text) throws UnitProblemException {
    List<String> lines =
        text.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith(";"))
            .toList();
    if (!lines.isEmpty() && lines.stream().noneMatch(line -> line.startsWith("["))) {
      throw new UnitProblemException(
          place + " has no [Section]: its options need one above them, such as [Service]");
    }
  }

  private static String withPlace(String place, int linesBefore, UnitFileSyntaxException e) {
    String message = String.valueOf(e.getMessage());
    String line = "line " + e.line() + ": ";
    return message.startsWith(line)
        ? place + ":" + (linesBefore + e.line()) + ": " + message.substring(line.length())
        : place + ": " + message;
  }

  private static String text(Path path) throws UnitProblemException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(UnitFile.MAX_BYTES + 1);
      if (bytes.length > UnitFile.MAX_BYTES) {
        throw tooLong(path);
      }
      return UnitFile.decode(bytes);
    } catch (AccessDeniedException e) {
      throw new UnitProblemException("not permitted to read " + path, e);
    } catch (IOException e) {
      throw new UnitProblemException("cannot read " + path + ": " + e.getMessage(), e);
    }
  }

  private static UnitProblemException tooLong(Path path) {
    return new UnitProblemException(
        path + " is too long for a unit file: more than " + UnitFile.MAX_BYTES + " bytes");
  }
}
