package fleet.engine.picture;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.records.FileRecord;
import fleet.registry.records.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The unit files of the store, each held once however many units share it. Owned by the engine's
 * event thread.
 */
public final class StoredFiles {

  private static final UnitFile MISSING = new UnitFile(List.of());

  private final Map<String, Stored> stored = new HashMap<>();
  private final Map<String, Integer> users = new HashMap<>();
  private final Set<String> unused = new HashSet<>();

  private record Stored(UnitFile file, Entry entry) {}

  void written(Entry entry) {
    String sha256 = entry.key().substring(Keys.FILES.length());
    try {
      Stored before = stored.get(sha256);
      UnitFile file = before == null ? UnitFile.parse(FileRecord.of(entry).text()) : before.file();
      stored.put(
          sha256, new Stored(file, new Entry(entry.key(), "", entry.created(), entry.modified())));
    } catch (UnitFileSyntaxException e) {
      throw new RegistryException(
          "key " + entry.key() + " of the registry is not a unit file: " + e.getMessage(), e);
    }
    noteUse(sha256);
  }

  void deleted(String sha256) {
    stored.remove(sha256);
    unused.remove(sha256);
  }

  /** Keeps the file, for a unit or for what is left of one in a schedule, until it is released. */
  UnitFile use(String sha256) {
    users.merge(sha256, 1, Integer::sum);
    noteUse(sha256);
    return peek(sha256);
  }

  void release(String sha256) {
    users.computeIfPresent(sha256, (_, count) -> count == 1 ? null : count - 1);
    noteUse(sha256);
  }

  private void noteUse(String sha256) {
    if (users.containsKey(sha256)) {
      unused.remove(sha256);
    } else if (stored.containsKey(sha256)) {
      unused.add(sha256);
    }
  }

  boolean has(String sha256) {
    return stored.containsKey(sha256);
  }

  /** The file; one without options where the store does not have it. */
  UnitFile peek(String sha256) {
    Stored found = stored.get(sha256);
    return found == null ? MISSING : found.file();
  }

  /** Hands out, once, the entries of files that no unit names. */
  public List<Entry> takeUnused() {
    List<Entry> entries = new ArrayList<>();
    for (String sha256 : unused) {
      Stored found = stored.get(sha256);
      if (found != null) {
        entries.add(found.entry());
      }
    }
    unused.clear();
    return entries;
  }
}
