package fleet.registry;

import java.util.List;

/** Entries as they stood at one revision, sorted by key. */
public record Snapshot(long revision, List<Entry> entries) {
  public Snapshot {
    entries = List.copyOf(entries);
  }
}
