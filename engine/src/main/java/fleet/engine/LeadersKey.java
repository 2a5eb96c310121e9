package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.engine.decide.Writes;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A key that the leader keeps as it wants it, by writes beside the engine's loop, which owns this.
 */
final class LeadersKey {

  private static final Logger log = LoggerFactory.getLogger(LeadersKey.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Registry registry;
  private final EventLoop loop;
  private final long token;
  private final String key;
  private final String meaning;
  private boolean busy;

  /**
   * @param token of the leader; 0 where nobody else can lead
   * @param meaning what the key says, for messages
   */
  LeadersKey(Registry registry, EventLoop loop, long token, String key, String meaning) {
    this.registry = registry;
    this.loop = loop;
    this.token = token;
    this.key = key;
    this.meaning = meaning;
  }

  /**
   * Writes the key, one write at a time.
   *
   * @param stored as the picture has it
   * @param value to be there from then on; where it is empty, the key goes
   */
  void write(Optional<Entry> stored, Optional<String> value) {
    if (busy) {
      return;
    }
    busy = true;
    Transaction transaction = transaction(stored, value);
    loop.beside("engine-" + key, () -> commit(transaction));
  }

  private Transaction transaction(Optional<Entry> stored, Optional<String> value) {
    var transaction = Writes.fenced(token);
    stored.ifPresentOrElse(transaction::unmodified, () -> transaction.absent(key));
    value.ifPresentOrElse(text -> transaction.put(key, text), () -> transaction.delete(key));
    return transaction.build();
  }

  /** A write comes back through the watch; until it is there, nothing is to be done. */
  private void commit(Transaction transaction) {
    try {
      Outcome outcome = registry.commit(transaction);
      if (outcome instanceof Outcome.Refused refused) {
        log.debug("key {} is not what it was: looking again", refused.condition().key());
      }
    } catch (RuntimeException e) {
      log.warn("cannot write {}: {}", meaning, e.getMessage());
    }
    loop.postAfter(RETRY, () -> busy = false);
  }
}
