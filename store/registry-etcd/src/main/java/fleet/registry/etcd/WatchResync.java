package fleet.registry.etcd;

import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds the difference since a revision, if the changes themselves are forgotten. Keeps only the
 * difference, and the keys.
 */
final class WatchResync implements Consumer<Entry> {

  private static final Comparator<Change> BY_BYTES =
      Comparator.comparing(
          change -> change.key().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private final long since;
  private final List<Change> changes = new ArrayList<>();
  private final DeliveredKeys keys = new DeliveredKeys();

  WatchResync(long since) {
    this.since = since;
  }

  @Override
  public void accept(Entry entry) {
    keys.add(entry.key());
    if (entry.modified() > since) {
      changes.add(new Change.Written(entry));
    }
  }

  /** The keys there are now. */
  DeliveredKeys keys() {
    return keys;
  }

  /** The difference to what was told, sorted by key. */
  Optional<Delta> delta(DeliveredKeys told, long revision) {
    told.forEach(key -> {
      if (!keys.contains(key)) {
        changes.add(new Change.Deleted(key));
      }
    });
    changes.sort(BY_BYTES);
    return changes.isEmpty() ? Optional.empty() : Optional.of(new Delta(revision, changes));
  }
}
