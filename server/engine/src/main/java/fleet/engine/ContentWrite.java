package fleet.engine;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.FileRecord;
import fleet.registry.records.HistoryRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Another content of a unit, to be written together with the unit's history. */
record ContentWrite(
    UnitName unit, UnitRecord before, HistoryRecord history, Optional<Entry> stored) {

  private static final Logger log = LoggerFactory.getLogger(ContentWrite.class);

  /**
   * The unit as it is now.
   *
   * @param history as it is stored; one that cannot be read is replaced
   */
  static ContentWrite of(UnitName unit, UnitRecord before, Optional<Entry> history) {
    return new ContentWrite(unit, before, readable(unit, history), history);
  }

  /** The history of a unit; an empty one if it cannot be read. */
  static HistoryRecord readable(UnitName unit, Optional<Entry> history) {
    try {
      return history.map(HistoryRecord::of).orElseGet(HistoryRecord::none);
    } catch (RegistryException e) {
      log.warn("the history of {} begins again: {}", unit, e.getMessage());
      return HistoryRecord.none();
    }
  }

  /**
   * Adds the writes of another content.
   *
   * @param transaction holds only if the unit is as it was read
   */
  Transaction.Builder put(Transaction.Builder transaction, UnitRecord now, String cause) {
    return transaction
        .unchanged(Keys.history(unit), stored)
        .put(Keys.unit(unit), now.json())
        .put(Keys.history(unit), history.upTo(before).with(now, cause).json());
  }

  /** Adds a file, and its text as it was typed if that is another one. */
  static Transaction.Builder putFile(Transaction.Builder transaction, UnitFile file) {
    transaction.put(Keys.file(file.sha256()), new FileRecord(file.render()).json());
    String typed = file.typedSha256();
    return typed.isEmpty()
        ? transaction
        : transaction.put(Keys.file(typed), new FileRecord(file.text()).json());
  }
}
