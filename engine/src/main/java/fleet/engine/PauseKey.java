package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.engine.picture.ClusterPicture;
import fleet.engine.picture.ClusterPicture.StoredPause;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.PauseRecord;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the key that says whether rescheduling pauses to what the leader wants, by writes beside
 * the engine's loop, which owns this.
 */
final class PauseKey {

  private static final Logger log = LoggerFactory.getLogger(PauseKey.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Registry registry;
  private final ClusterPicture picture;
  private final EventLoop loop;
  private final long token;
  private Optional<PauseRecord> wanted = Optional.empty();
  private boolean busy;

  /**
   * @param token of the leader; 0 where nobody else can lead
   */
  PauseKey(Registry registry, ClusterPicture picture, EventLoop loop, long token) {
    this.registry = registry;
    this.picture = picture;
    this.loop = loop;
    this.token = token;
  }

  Optional<PauseRecord> wanted() {
    return wanted;
  }

  void want(Optional<PauseRecord> record) {
    wanted = record;
  }

  /** Writes where the store has something else, one write at a time. */
  void reconcile() {
    Optional<StoredPause> stored = picture.pause();
    if (busy || stored.map(StoredPause::record).equals(wanted)) {
      return;
    }
    busy = true;
    Transaction transaction = transaction(stored, wanted);
    loop.beside("engine-pause", () -> commit(transaction));
  }

  private Transaction transaction(Optional<StoredPause> stored, Optional<PauseRecord> record) {
    var transaction = Transaction.when();
    if (token != 0) {
      transaction.createdAt(Keys.LEADER, token);
    }
    stored.ifPresentOrElse(
        known -> transaction.unmodified(known.entry()), () -> transaction.absent(Keys.PAUSE));
    record.ifPresentOrElse(
        pause -> transaction.put(Keys.PAUSE, pause.json()), () -> transaction.delete(Keys.PAUSE));
    return transaction.build();
  }

  /** What was written comes back through the watch; before it is there, nothing is to be done. */
  private void commit(Transaction transaction) {
    try {
      Outcome outcome = registry.commit(transaction);
      if (outcome instanceof Outcome.Refused refused) {
        log.debug("key {} is not what it was: looking again", refused.condition().key());
      }
    } catch (RegistryException e) {
      log.warn("cannot write that rescheduling pauses, or goes on: {}", e.getMessage());
    }
    loop.postAfter(RETRY, () -> busy = false);
  }
}
