package fleet.fleetctl.unit;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.UnitReader;

/**
 * A unit of the cluster as a file that {@code apply} has nothing to do for. Names come from the
 * server, and are checked before they become names of files.
 *
 * @param text with the unit's state in its first line; a template has none
 */
public record ExportedUnit(UnitName name, String text) {

  /**
   * Makes the file.
   *
   * @throws UnitProblemException if the name is none of a unit, or the text may not be read
   */
  public static ExportedUnit of(UnitEntity unit) throws UnitProblemException {
    UnitName name = name(unit.name());
    if (unit.options().isEmpty()) {
      throw new UnitProblemException("you may not read the text of " + name);
    }
    String text = StateLine.without(UnitReader.file(unit).text());
    return new ExportedUnit(
        name, name.isTemplate() ? text : StateLine.write(unit.desiredState()) + text);
  }

  private static UnitName name(String name) throws UnitProblemException {
    try {
      return UnitName.of(name);
    } catch (InvalidUnitNameException e) {
      throw new UnitProblemException("\"" + name + "\": " + e.getMessage(), e);
    }
  }

  /** The same as a part of a stream. */
  public String inStream() {
    return UnitStream.write(name.value(), text);
  }
}
