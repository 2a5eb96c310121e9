package fleet.agent.place;

import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Set;

/**
 * The links by which systemd finds fleet's unit files, in its runtime directory. fleet makes and
 * removes them itself: from version 254 on, systemd counts every unit of the machine as changed on
 * disk if it was asked to do so, until the next reload.
 *
 * <p>A link comes and goes as a whole. A file, or a link to somewhere else, is left alone. All
 * methods throw a {@link SystemdException} if systemd is out of reach.
 */
public final class UnitLinks {

  private final Systemd systemd;
  private final UnitDirectory directory;

  public UnitLinks(Systemd systemd, UnitDirectory directory) {
    this.systemd = systemd;
    this.directory = directory;
  }

  /**
   * Makes the link to a unit's file, if it is not there.
   *
   * @throws IOException if the name is taken in that directory, or the link cannot be made
   */
  public void make(UnitName unit) throws IOException {
    Path runtime = systemd.runtimeDirectory();
    Path link = runtime.resolve(unit.value());
    if (leadsToFileOf(link, unit)) {
      return;
    }
    Files.createDirectories(runtime);
    if (Files.isSymbolicLink(link) && leadToFleet(link)) {
      // An alias that another unit of fleet's brought.
      Files.delete(link);
    }
    try {
      Files.createSymbolicLink(link, directory.file(unit));
    } catch (FileAlreadyExistsException e) {
      throw new IOException(link + " is there and is not fleet's", e);
    }
    showChange(runtime);
  }

  boolean isMade(UnitName unit) throws IOException {
    return leadsToFileOf(systemd.runtimeDirectory().resolve(unit.value()), unit);
  }

  /**
   * Whether a path is a file of fleet's, or a link to one: the unit's own, or an alias that leads
   * to that in systemd's directory.
   */
  boolean leadToFleet(Path path) {
    if (directory.holds(path)) {
      return true;
    }
    Path runtime = systemd.runtimeDirectory();
    Path target = UnitDirectory.target(path);
    return runtime.equals(path.getParent())
        && runtime.equals(target.getParent())
        && directory.holds(target);
  }

  /** The units that have a link to a file of their own, be that there or not. */
  Set<UnitName> units() throws IOException {
    return UnitDirectory.unitsIn(systemd.runtimeDirectory(), this::leadsToFileOfItsName);
  }

  private boolean leadsToFileOfItsName(Path link) throws IOException {
    if (!Files.isSymbolicLink(link)) {
      return false;
    }
    Path target = Files.readSymbolicLink(link);
    return directory.holds(target) && target.endsWith(link.getFileName());
  }

  /** systemd looks for new files if a directory's time differs; the kernel's own is coarse. */
  private static void showChange(Path runtime) throws IOException {
    Files.setLastModifiedTime(runtime, FileTime.from(Instant.now()));
  }

  /** Removes the link to a unit's file, if it is there. */
  public void remove(UnitName unit) throws IOException {
    Path link = systemd.runtimeDirectory().resolve(unit.value());
    if (Files.isSymbolicLink(link) && leadsToFileOf(link, unit)) {
      Files.delete(link);
    }
  }

  /** Also without a link, if fleet's files are in systemd's directory itself. */
  private boolean leadsToFileOf(Path link, UnitName unit) throws IOException {
    Path file = directory.file(unit);
    return link.equals(file)
        || (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(file));
  }
}
