package fleet.agent.usage;

import fleet.agent.mark.Marks;
import fleet.core.machine.Resources;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The reservations of the units that fleet has on this machine, by their files as they are placed
 * and by the requirements beside them.
 */
final class Reservations {

  private final Path marks;
  private final Path files;
  private final Resources machine;
  private final Map<UnitName, Known> known = new HashMap<>();

  private record Known(FileTime written, FileTime marked, Resources reserved) {}

  /**
   * @param marks a file for each unit
   * @param files the directory of the unit files
   * @param machine what percentages are of
   */
  Reservations(Path marks, Path files, Resources machine) {
    this.marks = marks;
    this.files = files;
    this.machine = machine;
  }

  /** The units and what they reserve, by name. A file that did not change is not read again. */
  Map<UnitName, Resources> now() {
    Map<UnitName, Resources> now = new TreeMap<>();
    try (DirectoryStream<Path> units = Files.newDirectoryStream(marks)) {
      for (Path mark : units) {
        // No name of a unit begins with a dot, as other files do here.
        UnitName.parse(String.valueOf(mark.getFileName()))
            .ifPresent(unit -> now.put(unit, reserved(unit)));
      }
    } catch (IOException | DirectoryIteratorException noUnitsYet) {
      return now;
    }
    known.keySet().retainAll(now.keySet());
    return now;
  }

  private Resources reserved(UnitName unit) {
    Path file = files.resolve(unit.value());
    Path mark = marks.resolve(unit.value());
    try {
      FileTime written = Files.getLastModifiedTime(file);
      FileTime marked = Files.getLastModifiedTime(mark);
      Known before = known.get(unit);
      if (before != null && before.written.equals(written) && before.marked.equals(marked)) {
        return before.reserved;
      }
      Resources reserved = reserved(unit, file, mark);
      known.put(unit, new Known(written, marked, reserved));
      return reserved;
    } catch (IOException | UnitFileSyntaxException placedThisMoment) {
      return Resources.UNKNOWN;
    }
  }

  private Resources reserved(UnitName unit, Path file, Path mark)
      throws IOException, UnitFileSyntaxException {
    UnitFile text = UnitFile.parse(Files.readString(file));
    return Requirements.of(unit, text, Marks.require(mark)).reservation().on(machine);
  }
}
