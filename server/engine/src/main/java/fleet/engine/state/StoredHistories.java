package fleet.engine.state;

import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.records.HistoryRecord;
import fleet.registry.records.HistoryRecord.Revision;
import fleet.registry.records.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files that the histories of units keep. The rest of a history is read from the store when
 * somebody asks. A history that cannot be read keeps what it kept before. Owned by the state
 * thread.
 */
public final class StoredHistories {

  private final StoredFiles files;
  private final StoredUnits units;
  private final Map<UnitName, Stored> histories = new HashMap<>();

  /** The histories that were written since {@link #takeOrphans} or whose units went. */
  private final Set<UnitName> suspects = new HashSet<>();

  /**
   * A history.
   *
   * @param entry the entry that holds it, without its value
   */
  private record Stored(List<String> kept, Entry entry) {}

  StoredHistories(StoredFiles files, StoredUnits units) {
    this.files = files;
    this.units = units;
  }

  ChangedSubject put(Entry entry) {
    UnitName name = Keys.unitOf(entry.key());
    List<String> kept = new ArrayList<>();
    for (Revision revision : HistoryRecord.of(entry).revisions()) {
      kept.add(files.nameOf(revision.sha256()));
      if (!revision.source().isEmpty()) {
        kept.add(files.nameOf(revision.source()));
      }
    }
    // Kept before the others are released, since both may have the same files.
    kept.forEach(files::keep);
    release(name);
    histories.put(
        name,
        new Stored(
            List.copyOf(kept), new Entry(entry.key(), "", entry.created(), entry.modified())));
    suspects.add(name);
    return new ChangedSubject.Nothing();
  }

  ChangedSubject forget(String key) {
    release(Keys.unitOf(key));
    return new ChangedSubject.Nothing();
  }

  private void release(UnitName name) {
    Stored before = histories.remove(name);
    if (before != null) {
      before.kept().forEach(files::release);
    }
  }

  /** A unit is gone; its history goes with it, unless a fleetd deleted it that knows none. */
  void unitGone(UnitName name) {
    if (histories.containsKey(name)) {
      suspects.add(name);
    }
  }

  /** A history that was handed out as an orphan is still there. */
  public void stays(UnitName name) {
    suspects.add(name);
  }

  /** Hands out, once, the entries of histories whose units do not exist. */
  public List<Entry> takeOrphans() {
    List<Entry> orphans = new ArrayList<>();
    for (UnitName name : suspects) {
      Stored stored = histories.get(name);
      if (stored != null && units.of(name).isEmpty()) {
        orphans.add(stored.entry());
      }
    }
    suspects.clear();
    return orphans;
  }
}
