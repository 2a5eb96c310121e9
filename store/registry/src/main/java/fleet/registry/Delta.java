package fleet.registry;

import java.util.List;
import java.util.Optional;

/** The changes of one revision that a watch asked for, in the order they were written. */
public record Delta(long revision, List<Change> changes) {

  public Delta {
    changes = List.copyOf(changes);
  }

  /** A change of one key. */
  public sealed interface Change {
    String key();

    /** The entry of the key from now on; empty if it was deleted. */
    default Optional<Entry> now() {
      return this instanceof Written(Entry entry) ? Optional.of(entry) : Optional.empty();
    }

    record Written(Entry entry) implements Change {
      @Override
      public String key() {
        return entry.key();
      }
    }

    record Deleted(String key) implements Change {}
  }
}
