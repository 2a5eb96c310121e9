package fleet.core.access;

import fleet.core.collection.OrderedCopy;
import java.util.Map;

/**
 * A machine, as far as grants look at it.
 *
 * @param machine id; empty if a unit has none yet
 * @param metadata of the machine; what the unit demands if it has none yet
 */
public record Place(String machine, Map<String, String> metadata) {
  public Place {
    metadata = OrderedCopy.of(metadata);
  }
}
