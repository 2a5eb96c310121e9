package fleet.ctl.unit;

import fleet.core.unit.UnitFile;
import fleet.entities.UnitEntity;
import java.util.Optional;

/**
 * What is to be done with one unit before the command itself.
 *
 * @param existing as the cluster has it; empty where it does not
 * @param toPut the text to create it from or to replace it with; empty where it stays as it is
 */
public record Preparation(String name, Optional<UnitEntity> existing, Optional<UnitFile> toPut) {

  static Preparation keep(String name, UnitEntity existing) {
    return new Preparation(name, Optional.of(existing), Optional.empty());
  }
}
