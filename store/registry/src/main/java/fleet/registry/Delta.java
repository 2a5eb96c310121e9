package fleet.registry;

import java.util.List;

/** The changes of one revision that a watch asked for, in the order they were written. */
public record Delta(long revision, List<Change> changes) {

  public Delta {
    changes = List.copyOf(changes);
  }

  /** A change of one key. */
  public sealed interface Change {
    String key();

    record Written(Entry entry) implements Change {
      @Override
      public String key() {
        return entry.key();
      }
    }

    record Deleted(String key) implements Change {}
  }
}
