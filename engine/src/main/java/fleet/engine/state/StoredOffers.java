package fleet.engine.state;

import fleet.core.collection.OrderedCopy;
import fleet.core.unit.UnitName;
import fleet.registry.records.OfferRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The offers in the store. Owned by the engine's event thread. */
public final class StoredOffers {

  private final Map<UnitName, OfferRecord> records = new HashMap<>();

  void put(OfferRecord record) {
    records.put(record.offer().unit(), record);
  }

  void forget(UnitName unit) {
    records.remove(unit);
  }

  /** The offer of a unit, as it is stored. */
  public Optional<OfferRecord> of(UnitName unit) {
    return Optional.ofNullable(records.get(unit));
  }

  /** The units that are offered. */
  public Set<UnitName> units() {
    return OrderedCopy.of(records.keySet());
  }
}
