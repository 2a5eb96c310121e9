package fleet.engine;

import fleet.engine.state.ClusterState;
import fleet.engine.state.StoredFiles;
import fleet.engine.state.StoredHistories;
import fleet.registry.Entry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what nobody needs any more from the registry, one key after the other, unless it is
 * written again: files that nothing names, and histories whose units a fleetd destroyed that knows
 * no histories. Owned by the state thread.
 */
final class UnusedFiles {

  private static final Logger log = LoggerFactory.getLogger(UnusedFiles.class);

  private final StoredFiles files;
  private final StoredHistories histories;
  private final LeaderWrites writes;

  UnusedFiles(ClusterState cluster, LeaderWrites writes) {
    this.files = cluster.files();
    this.histories = cluster.histories();
    this.writes = writes;
  }

  void remove() {
    remove(files.takeUnused().iterator());
    remove(histories.takeOrphans().iterator());
  }

  private void remove(Iterator<Entry> unused) {
    if (!unused.hasNext()) {
      return;
    }
    Entry entry = unused.next();
    writes.write(
        "engine-files",
        removal(entry),
        _ -> remove(unused),
        e -> {
          log.debug("{} stays for now: {}", entry.key(), e.getMessage());
          writes.later(() -> stays(entry.key()));
          remove(unused);
        });
  }

  private Transaction removal(Entry entry) {
    Transaction.Builder transaction = writes.fenced().unmodified(entry).delete(entry.key());
    return isFile(entry.key())
        ? transaction.build()
        : transaction.absent(Keys.unit(Keys.unitOf(entry.key()))).build();
  }

  private void stays(String key) {
    if (isFile(key)) {
      files.stays(key.substring(Keys.FILES.length()));
    } else {
      histories.stays(Keys.unitOf(key));
    }
  }

  private static boolean isFile(String key) {
    return key.startsWith(Keys.FILES);
  }
}
