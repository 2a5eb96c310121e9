package fleet.engine.state;

import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.records.Keys;
import fleet.registry.records.RolloutRecord;
import java.util.Collection;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The rollouts of the store, over or not, by name. Owned by the state's loop. */
public final class StoredRollouts {

  private final StoredFiles files;
  private final NavigableMap<UnitName, Stored> rollouts = new TreeMap<>();

  /**
   * One of them.
   *
   * @param entry that holds it, without its value
   */
  public record Stored(RolloutRecord record, Entry entry) {}

  StoredRollouts(StoredFiles files) {
    this.files = files;
  }

  /** A rollout that cannot be read does not exist any more. */
  UnitName put(Entry entry) {
    UnitName name = Keys.unitOf(entry.key());
    RolloutRecord record;
    try {
      record = RolloutRecord.of(entry);
    } catch (RegistryException e) {
      var _ = forget(name);
      throw e;
    }
    // Kept before the others are released, since both may have the same files.
    record.files().forEach(files::keep);
    var _ = forget(name);
    rollouts.put(
        name, new Stored(record, new Entry(entry.key(), "", entry.created(), entry.modified())));
    return name;
  }

  UnitName forget(UnitName name) {
    Stored before = rollouts.remove(name);
    if (before != null) {
      before.record().files().forEach(files::release);
    }
    return name;
  }

  /** Sorted by name. */
  public Collection<Stored> all() {
    return Collections.unmodifiableCollection(rollouts.values());
  }

  public Optional<Stored> of(UnitName name) {
    return Optional.ofNullable(rollouts.get(name));
  }
}
