package fleet.engine.state;

import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.records.FileRecord;
import fleet.registry.records.GlobalUpdate;
import fleet.registry.records.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The unit files of the store, each held once however many units share it. Owned by the state
 * thread.
 */
public final class StoredFiles {

  private static final UnitName ANY = UnitName.of("any.service");
  private static final UnitFile MISSING = new UnitFile(List.of());

  private final Map<String, Stored> stored = new HashMap<>();
  private final Map<String, Integer> users = new HashMap<>();
  private final Set<String> unused = new HashSet<>();
  private final UnitIndex lacking = new UnitIndex();

  /**
   * @param common what all units of this file ask for; empty if it depends on their names
   */
  private record Stored(String sha256, UnitFile file, Entry entry, Optional<Requirements> common) {}

  void written(Entry entry) {
    String sha256 = entry.key().substring(Keys.FILES.length());
    try {
      Stored before = stored.get(sha256);
      UnitFile file = before == null ? UnitFile.parse(FileRecord.of(entry).text()) : before.file();
      stored.put(
          sha256,
          new Stored(
              before == null ? sha256 : before.sha256(),
              file,
              new Entry(entry.key(), "", entry.created(), entry.modified()),
              before == null ? common(file) : before.common()));
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

  /** Keeps the file, for a unit or its remaining entry in a schedule, until it is released. */
  UnitFile use(String sha256, UnitName user) {
    keep(sha256);
    if (!has(sha256)) {
      lacking.note(sha256, user);
    }
    return peek(sha256);
  }

  /** Keeps the file until it is released, present or not. */
  void keep(String sha256) {
    users.merge(sha256, 1, Integer::sum);
    noteUse(sha256);
  }

  /** Keeps a file, if one is named. */
  void keepNamed(String sha256) {
    if (!sha256.isEmpty()) {
      keep(sha256);
    }
  }

  void releaseNamed(String sha256) {
    if (!sha256.isEmpty()) {
      release(sha256);
    }
  }

  /** Hands out, once, the units that lacked this file. */
  Set<UnitName> takeLacking(String sha256) {
    return lacking.take(sha256);
  }

  /** Whether units lack this file. */
  boolean lacksAny() {
    return !lacking.keys().isEmpty();
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

  /** Whether the store has the file. */
  public boolean has(String sha256) {
    return stored.containsKey(sha256);
  }

  /** The file; one without options if the store does not have it. */
  public UnitFile peek(String sha256) {
    Stored found = stored.get(sha256);
    return found == null ? MISSING : found.file();
  }

  /** The requirements of a unit if it had the content of an update. */
  public Requirements requirements(KnownUnit known, GlobalUpdate update) {
    return requirements(update.sha256(), known.unit().name(), known.unit().require());
  }

  /**
   * The requirements of a unit of the file.
   *
   * @param require those beside the file
   */
  Requirements requirements(String sha256, UnitName unit, List<String> require) {
    Stored found = stored.get(sha256);
    if (found == null) {
      return Requirements.NONE;
    }
    return require.isEmpty() && found.common().isPresent()
        ? found.common().get()
        : Requirements.of(unit, found.file(), require);
  }

  private static Optional<Requirements> common(UnitFile file) {
    return Requirements.areSameForAll(file)
        ? Optional.of(Requirements.of(ANY, file))
        : Optional.empty();
  }

  /** The same name, held once. */
  String nameOf(String sha256) {
    Stored found = stored.get(sha256);
    return found == null ? sha256 : found.sha256();
  }

  /** A file that was handed out as unused is still there: it is handed out again if it still is. */
  public void stays(String sha256) {
    noteUse(sha256);
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
