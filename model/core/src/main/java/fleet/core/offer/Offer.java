package fleet.core.offer;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;

/**
 * A unit that some machines may bid for, until it is withdrawn.
 *
 * @param id unique
 * @param require what the unit asks of machines beside its file, each {@code Option=Value}
 */
public record Offer(UnitName unit, String id, UnitFile file, List<String> require) {

  public Offer {
    require = List.copyOf(require);
  }
}
