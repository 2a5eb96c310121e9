package fleet.rpc.message;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;

/** Names of units out of messages. */
public final class UnitNames {

  private UnitNames() {}

  /**
   * The unit of that name.
   *
   * @throws MalformedMessageException if it is none
   */
  public static UnitName of(String name) throws MalformedMessageException {
    try {
      return UnitName.of(name);
    } catch (InvalidUnitNameException e) {
      throw new MalformedMessageException(
          "\"%s\" is no unit: %s".formatted(name, e.getMessage()), e);
    }
  }
}
