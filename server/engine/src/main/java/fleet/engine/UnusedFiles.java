package fleet.engine;

import fleet.engine.state.StoredFiles;
import fleet.registry.Entry;
import fleet.registry.records.Keys;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes files that no unit names any more from the registry, one after the other, unless they are
 * written again. Owned by the state's loop.
 */
final class UnusedFiles {

  private static final Logger log = LoggerFactory.getLogger(UnusedFiles.class);

  private final StoredFiles files;
  private final LeaderWrites writes;

  UnusedFiles(StoredFiles files, LeaderWrites writes) {
    this.files = files;
    this.writes = writes;
  }

  void remove() {
    remove(files.takeUnused().iterator());
  }

  private void remove(Iterator<Entry> unused) {
    if (!unused.hasNext()) {
      return;
    }
    Entry file = unused.next();
    writes.write(
        "engine-files",
        writes.fenced().unmodified(file).delete(file.key()).build(),
        _ -> remove(unused),
        e -> {
          log.debug("{} stays for now: {}", file.key(), e.getMessage());
          writes.later(() -> files.stays(file.key().substring(Keys.FILES.length())));
          remove(unused);
        });
  }
}
