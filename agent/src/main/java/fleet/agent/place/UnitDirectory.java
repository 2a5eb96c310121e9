package fleet.agent.place;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

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

  private static Path target(Path path) {
    try {
      return Files.isSymbolicLink(path)
          ? path.resolveSibling(Files.readSymbolicLink(path)).normalize()
          : path;
    } catch (IOException gone) {
      return path;
    }
  }

  public void write(UnitName unit, UnitFile file) throws IOException {
    Path partial = directory.resolve("." + unit + ".part");
    Files.writeString(partial, file.render(), StandardCharsets.UTF_8);
    Files.setPosixFilePermissions(partial, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(partial, file(unit), StandardCopyOption.ATOMIC_MOVE);
  }

  public Optional<UnitFile> read(UnitName unit) throws IOException {
    try {
      return Optional.of(UnitFile.parse(Files.readString(file(unit), StandardCharsets.UTF_8)));
    } catch (NoSuchFileException | UnitFileSyntaxException absentOrNotOurText) {
      return Optional.empty();
    }
  }

  public boolean exists(UnitName unit) {
    return Files.exists(file(unit));
  }

  public void delete(UnitName unit) throws IOException {
    Files.deleteIfExists(file(unit));
  }
}
