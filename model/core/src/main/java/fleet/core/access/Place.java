package fleet.core.access;

import fleet.core.collection.OrderedCopy;
import java.util.Map;

/**
 * The view of a machine for grants.
 *
 * @param machine id; empty if a unit has none yet
 * @param metadata of the machine; the unit's requirements if it has none yet
 */
public record Place(String machine, Map<String, String> metadata) {
  public Place {
    metadata = OrderedCopy.of(metadata);
  }
}
