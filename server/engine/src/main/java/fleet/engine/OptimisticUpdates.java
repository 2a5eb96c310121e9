package fleet.engine;

import fleet.cluster.ClusterUnavailableException;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Optimistic updates of the registry: each reads, decides, and writes on condition that what was
 * read has not changed. If it has, it reads and decides again. Safe for use by many threads;
 * everything here throws {@link ClusterUnavailableException} if the registry does not answer.
 */
final class OptimisticUpdates {

  private final Registry registry;

  OptimisticUpdates(Registry registry) {
    this.registry = registry;
  }

  /**
   * The write that follows from what was read, with the result of the command.
   *
   * @param transaction with the conditions under which the decision holds; empty if nothing is to
   *     be written
   * @param read revision that the decision rests on, if nothing is to be written
   */
  record Update<T>(T result, Optional<Transaction> transaction, long read) {

    static <T> Update<T> write(T result, Transaction.Builder transaction) {
      return new Update<>(result, Optional.of(transaction.build()), 0);
    }

    /** Nothing is to be written, whatever the registry's revision. */
    static <T> Update<T> unchanged(T result) {
      return unchanged(result, Optional.empty());
    }

    static <T> Update<T> unchanged(T result, Optional<Entry> read) {
      return new Update<>(result, Optional.empty(), read.map(Entry::modified).orElse(0L));
    }
  }

  /** Updates by the entry of one key. */
  <T> CommandResult<T> update(String key, Function<Optional<Entry>, Update<T>> decide) {
    return update(() -> decide.apply(registry.get(key)));
  }

  /**
   * Updates by whatever the decision reads.
   *
   * @param decide called again if another was faster; its transaction has to have conditions then
   */
  <T> CommandResult<T> update(Supplier<Update<T>> decide) {
    return available(() -> {
      while (true) {
        Update<T> update = decide.get();
        if (update.transaction().isEmpty()) {
          return new CommandResult<>(update.result(), update.read());
        }
        Outcome outcome = registry.commit(update.transaction().get());
        if (outcome instanceof Outcome.Committed) {
          return new CommandResult<>(update.result(), outcome.revision());
        }
      }
    });
  }

  /** Does work that needs the registry. */
  static <T> T available(Supplier<T> work) {
    try {
      return work.get();
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }
}
