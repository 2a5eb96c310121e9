package fleet.api.journal;

import fleet.core.unit.UnitName;
import fleet.entities.JournalPosition;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What is read of a machine's journal in one go.
 *
 * @param since where it is not gone on from a cursor, the time to begin from in place of what the
 *     question says
 * @param before where it ends: entries from there on are somebody else's
 * @param follow whether it goes on with what is written from now on
 */
record Part(
    String machine,
    Set<UnitName> units,
    Optional<Instant> since,
    Optional<JournalPosition> before,
    boolean follow) {

  Part {
    units = Set.copyOf(units);
  }

  /** Rather twice than not at all, where positions do not tell. */
  boolean has(JournalPosition entry) {
    return before.filter(end -> entry.equals(end) || entry.isAfter(end)).isEmpty();
  }
}
