package fleet.engine.state;

import fleet.registry.Entry;
import fleet.registry.records.DepartureRecord;
import fleet.registry.records.Keys;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The keys of machines that are lost or have left. Owned by the state thread. */
public final class StoredDepartures {

  private final SortedMap<String, StoredDeparture> byMachine = new TreeMap<>();

  /** The key of one machine. */
  public record StoredDeparture(String id, DepartureRecord record, Entry entry) {}

  ChangedSubject put(Entry entry) {
    String machine = Keys.machineOf(entry.key());
    // A value that cannot be read takes the place of the one before.
    byMachine.remove(machine);
    byMachine.put(machine, new StoredDeparture(machine, DepartureRecord.of(entry), entry));
    return new ChangedSubject.Nothing();
  }

  ChangedSubject forget(String key) {
    byMachine.remove(Keys.machineOf(key));
    return new ChangedSubject.Nothing();
  }

  /** By machine; some may be back. */
  public SortedMap<String, StoredDeparture> all() {
    return Collections.unmodifiableSortedMap(byMachine);
  }
}
