package fleet.api.journal;

import fleet.core.unit.UnitName;
import fleet.entities.JournalPosition;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The part of a machine's journal that is read in one go.
 *
 * @param since the time to begin from in place of the question's, if there is no cursor to go on
 *     from
 * @param before where it ends: entries from there on are in another part
 * @param follow whether to go on with entries that are written from now on
 */
record JournalSlice(
    String machine,
    Set<UnitName> units,
    Optional<Instant> since,
    Optional<JournalPosition> before,
    boolean follow) {

  JournalSlice {
    units = Set.copyOf(units);
  }

  /** If positions are unclear, better twice than not at all. */
  boolean has(JournalPosition entry) {
    return before.filter(end -> entry.equals(end) || entry.isAfter(end)).isEmpty();
  }
}
