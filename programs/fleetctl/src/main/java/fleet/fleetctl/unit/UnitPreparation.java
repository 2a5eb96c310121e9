package fleet.fleetctl.unit;

import fleet.core.unit.UnitFile;
import fleet.entities.UnitEntity;
import java.util.Optional;

/**
 * The preparation of one unit before the command itself.
 *
 * @param existing as the cluster has it; empty if it has none
 * @param toPut the text to create it from or to replace it with; empty if it stays as it is
 */
public record UnitPreparation(
    String name, Optional<UnitEntity> existing, Optional<UnitFile> toPut) {

  static UnitPreparation keep(String name, UnitEntity existing) {
    return new UnitPreparation(name, Optional.of(existing), Optional.empty());
  }
}
