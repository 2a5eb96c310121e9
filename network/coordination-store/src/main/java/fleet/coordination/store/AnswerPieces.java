package fleet.coordination.store;

import fleet.coordination.IncomingAnswer;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.Watcher;
import fleet.registry.records.AnswerRecord;
import fleet.registry.records.Keys;
import java.util.HashMap;
import java.util.Map;

/**
 * Watches the pieces of an answer in the store, and hands them to its reader in their order. Safe
 * for use by many threads.
 */
final class AnswerPieces implements Watcher {

  private final String machine;
  private final String id;
  private final IncomingAnswer answer;
  private final Map<String, Entry> early = new HashMap<>();
  private long expected;

  AnswerPieces(String machine, String id, IncomingAnswer answer) {
    this.machine = machine;
    this.id = id;
    this.answer = answer;
  }

  @Override
  public synchronized void changed(Delta delta) {
    for (Change change : delta.changes()) {
      switch (change) {
        case Change.Written written -> arrived(written.entry());
        case Change.Deleted deleted -> {
          if (deleted.key().equals(Keys.answer(id, 0))) {
            answer.failBeforeTheEnd(
                "machine %s or its fleetd went away before its answer was complete"
                    .formatted(machine));
          }
        }
      }
    }
  }

  /**
   * Pieces come in order, except after the watch had to list again. A piece that was taken already
   * is written again if the machine did not learn that it had been.
   */
  private void arrived(Entry piece) {
    early.put(piece.key(), piece);
    Entry next = early.remove(Keys.answer(id, expected));
    while (next != null) {
      expected++;
      handOn(AnswerRecord.of(next));
      next = early.remove(Keys.answer(id, expected));
    }
  }

  private void handOn(AnswerRecord piece) {
    switch (piece) {
      case AnswerRecord.Begun _ -> {}
      case AnswerRecord.Data data -> answer.arrived(data.bytes());
      case AnswerRecord.Ended end -> answer.ended(end.exitStatus(), end.problem());
    }
  }

  @Override
  public void failed(RegistryException why) {
    answer.failBeforeTheEnd(why.getMessage());
  }

  /** Fails the answer if the machine has not even begun with it. */
  synchronized void failIfSilent(String why) {
    if (expected == 0) {
      answer.failBeforeTheEnd(why);
    }
  }
}
