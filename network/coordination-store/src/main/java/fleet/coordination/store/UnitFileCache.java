package fleet.coordination.store;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.records.FileRecord;
import fleet.registry.records.Keys;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Unit files by their SHA-256, fetched from the store when first asked for and kept as long as
 * somebody uses them. Belongs to its loop.
 */
final class UnitFileCache {

  /** Files are up to half a megabyte. */
  private static final int FETCHES_AT_ONCE = 16;

  private final StoreWork work;
  private final Map<String, UnitFile> known = new HashMap<>();
  private final Map<String, Integer> users = new HashMap<>();

  UnitFileCache(StoreWork work) {
    this.work = work;
  }

  /** The content of a file in the store. */
  sealed interface Found {
    record File(UnitFile file) implements Found {}

    record Unusable(String why) implements Found {}
  }

  /**
   * Gets the files of these names; known ones cost nothing.
   *
   * @param then called once all are there
   */
  void fetch(Set<String> names, Consumer<Map<String, Found>> then) {
    new Fetch(names, then).begin();
  }

  void use(String sha256, UnitFile file) {
    known.put(sha256, file);
    users.merge(sha256, 1, Integer::sum);
  }

  void release(String sha256) {
    if (users.computeIfPresent(sha256, (_, count) -> count == 1 ? null : count - 1) == null) {
      known.remove(sha256);
    }
  }

  private Found read(String sha256) {
    String key = Keys.file(sha256);
    Optional<Entry> entry = work.registry().get(key);
    if (entry.isEmpty()) {
      return new Found.Unusable("the registry has no " + key);
    }
    return usable(key, sha256, entry.get());
  }

  private static Found usable(String key, String sha256, Entry entry) {
    try {
      UnitFile file = UnitFile.parse(FileRecord.of(entry).text());
      return file.sha256().equals(sha256)
          ? new Found.File(file)
          : new Found.Unusable("what the registry has as %s is another file".formatted(key));
    } catch (UnitFileSyntaxException e) {
      return new Found.Unusable(
          "what the registry has as %s is no unit file: %s".formatted(key, e.getMessage()));
    } catch (RegistryException e) {
      return new Found.Unusable(e.getMessage());
    }
  }

  /** Some files on their way. */
  private final class Fetch {
    private final Map<String, Found> found = new HashMap<>();
    private final Queue<String> waiting = new ArrayDeque<>();
    private final Consumer<Map<String, Found>> then;
    private int underWay;

    Fetch(Collection<String> names, Consumer<Map<String, Found>> then) {
      this.then = then;
      for (String name : new HashSet<>(names)) {
        UnitFile file = known.get(name);
        if (file == null) {
          waiting.add(name);
        } else {
          found.put(name, new Found.File(file));
        }
      }
    }

    private void begin() {
      while (!waiting.isEmpty() && underWay < FETCHES_AT_ONCE) {
        String name = waiting.remove();
        underWay++;
        work.begin("fetching unit file " + name, () -> read(name), file -> fetched(name, file));
      }
      if (underWay == 0) {
        then.accept(found);
      }
    }

    private void fetched(String name, Found file) {
      underWay--;
      found.put(name, file);
      begin();
    }
  }
}
