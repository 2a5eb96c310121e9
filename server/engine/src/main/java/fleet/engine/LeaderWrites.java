package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.engine.decide.DecisionWrites;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes of the leader, which the registry carries out only while it leads. A write waits beside
 * the state thread, and its outcome comes back to it as an event. Owned by the state thread.
 */
final class LeaderWrites {

  private static final Logger log = LoggerFactory.getLogger(LeaderWrites.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Registry registry;
  private final EventLoop loop;
  private final long token;

  LeaderWrites(Registry registry, EventLoop loop, Leadership.Term term) {
    this.registry = registry;
    this.loop = loop;
    this.token = term.token();
  }

  /** Identifies the leader's term; {@link Leadership.Term#ALONE} has one as well. */
  long token() {
    return token;
  }

  boolean othersMayLead() {
    return token != Leadership.Term.ALONE.token();
  }

  /**
   * Reads a key again. Waits for the registry: for transactions that are made beside the state
   * thread.
   */
  Optional<Entry> read(String key) {
    return registry.get(key);
  }

  /** Begins a transaction that is carried out only while this engine leads. */
  Transaction.Builder fenced() {
    return DecisionWrites.fenced(token);
  }

  /**
   * @param name of the thread that waits
   * @param written told the outcome, on the state thread
   * @param failed told that the outcome is not known, or that nothing was written, on the state
   *     thread
   */
  void write(
      String name,
      Transaction transaction,
      Consumer<Outcome> written,
      Consumer<RuntimeException> failed) {
    write(
        name,
        () -> Optional.of(transaction),
        outcome -> written.accept(outcome.orElseThrow()),
        failed);
  }

  /**
   * Writes a transaction that is made beside the state thread.
   *
   * @param made may read the registry; empty if nothing is to be written after all
   */
  void write(
      String name,
      Supplier<Optional<Transaction>> made,
      Consumer<Optional<Outcome>> written,
      Consumer<RuntimeException> failed) {
    loop.beside(
        name,
        () -> {
          try {
            Optional<Outcome> outcome = made.get().map(registry::commit);
            loop.post(() -> written.accept(outcome));
          } catch (RuntimeException e) {
            loop.post(() -> failed.accept(e));
          }
        });
  }

  /** Does work once the registry had some time to recover, or the state to learn more. */
  void later(Runnable work) {
    loop.postAfter(RETRY, work);
  }

  /**
   * Makes a key that the leader keeps as it wants it.
   *
   * @param meaning what the key says, for messages
   */
  KeptKey key(String key, String meaning) {
    return new KeptKey(key, meaning);
  }

  /** A key that the leader keeps at the value that it wants. */
  final class KeptKey {
    private final String key;
    private final String meaning;
    private boolean busy;

    private KeptKey(String key, String meaning) {
      this.key = key;
      this.meaning = meaning;
    }

    /**
     * Writes the key, one write at a time.
     *
     * @param stored as the state has it
     * @param value to be there from then on; empty if the key is to go
     */
    void write(Optional<Entry> stored, Optional<String> value) {
      if (busy) {
        return;
      }
      busy = true;
      var transaction = fenced().unchanged(key, stored);
      value.ifPresentOrElse(text -> transaction.put(key, text), () -> transaction.delete(key));
      LeaderWrites.this.write(
          "engine-" + key,
          transaction.build(),
          this::written,
          e -> {
            log.warn("cannot write {}: {}", meaning, e.getMessage());
            later(this::free);
          });
    }

    /** A write comes back through the watch; until then nothing else is written. */
    private void written(Outcome outcome) {
      if (outcome instanceof Outcome.Refused refused) {
        log.debug("key {} is not what it was: looking again", refused.condition().key());
      }
      later(this::free);
    }

    private void free() {
      busy = false;
    }
  }
}
