package fleet.engine.state;

import fleet.core.collection.OrderedCopy;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.records.Keys;
import fleet.registry.records.OfferRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The offers in the store. Owned by the state thread. */
public final class StoredOffers {

  private final Map<UnitName, OfferRecord> records = new HashMap<>();

  /** Takes over an offer; returns the unit that is offered. */
  UnitName put(Entry entry) {
    OfferRecord record = OfferRecord.of(entry);
    records.put(record.offer().unit(), record);
    return Keys.unitOf(entry.key());
  }

  UnitName forget(String key) {
    UnitName unit = Keys.unitOf(key);
    records.remove(unit);
    return unit;
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
