package fleet.agent.place;

import fleet.agent.mark.WholeFile;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The directory of the unit files that fleet has placed. Files appear in it whole or not at all.
 */
public final class UnitDirectory {

  private final Path directory;

  public UnitDirectory(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory).toRealPath();
  }

  public Path file(UnitName unit) {
    return directory.resolve(unit.value());
  }

  /** Whether a path that systemd names leads to a file in this directory. */
  public boolean holds(Path path) {
    return path.startsWith(directory) || target(path).startsWith(directory);
  }

  /** The target of a link, by one step; any other path itself. */
  static Path target(Path path) {
    try {
      return Files.isSymbolicLink(path)
          ? path.resolveSibling(Files.readSymbolicLink(path)).normalize()
          : path;
    } catch (IOException gone) {
      return path;
    }
  }

  public void write(UnitName unit, UnitFile file) throws IOException {
    // systemd takes a unit whose file has nothing in it for masked, and one of comments for a unit.
    String text = file.options().isEmpty() ? "[Unit]\n" : file.render();
    WholeFile.write(file(unit), text, PosixFilePermissions.fromString("rw-r--r--"));
  }

  public Optional<UnitFile> read(UnitName unit) throws IOException {
    try {
      return Optional.of(UnitFile.parse(Files.readString(file(unit), StandardCharsets.UTF_8)));
    } catch (NoSuchFileException | UnitFileSyntaxException absentOrNotOurText) {
      return Optional.empty();
    }
  }

  /** The units that have a file here. */
  public Set<UnitName> units() throws IOException {
    return unitsIn(directory, _ -> true);
  }

  /** The units whose names entries of a directory have that pass the filter. */
  static Set<UnitName> unitsIn(Path directory, DirectoryStream.Filter<Path> wanted)
      throws IOException {
    Set<UnitName> units = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, wanted)) {
      for (Path entry : entries) {
        // Others are such as a file that is just being written.
        UnitName.parse(String.valueOf(entry.getFileName())).ifPresent(units::add);
      }
    } catch (NoSuchFileException e) {
      return Set.of();
    }
    return units;
  }

  public boolean exists(UnitName unit) {
    return Files.exists(file(unit));
  }

  public void delete(UnitName unit) throws IOException {
    Files.deleteIfExists(file(unit));
  }
}
