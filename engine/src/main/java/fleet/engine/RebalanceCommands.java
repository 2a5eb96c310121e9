package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Intent;
import fleet.cluster.RebalanceStart;
import fleet.cluster.RebalanceStart.Kind;
import fleet.core.operation.Rebalance;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.RebalanceRecord;
import java.util.Optional;
import java.util.function.Supplier;

/** Commands about rebalances, written to the registry. */
final class RebalanceCommands {

  private final Registry registry;

  RebalanceCommands(Registry registry) {
    this.registry = registry;
  }

  /**
   * Begins one, unless there is nothing to move or another has not ended.
   *
   * @param planners what finds the moves, of how the cluster is now
   */
  Done<RebalanceStart> start(
      Intent.Rebalance wish, Supplier<RebalancePlanner> planners, Caller caller) {
    try {
      while (true) {
        Optional<Entry> before = registry.get(Keys.REBALANCE);
        Optional<Rebalance> other = before.flatMap(RebalanceCommands::underWay);
        if (other.isPresent()) {
          return nothing(Kind.UNDER_WAY, underWay(other.get()));
        }
        RebalancePlanner planner = planners.get();
        Optional<String> refusal = planner.refusal();
        if (refusal.isPresent()) {
          return nothing(Kind.REFUSED, refusal.get());
        }
        RebalancePlanner.Proposal proposal = planner.propose(wish);
        if (proposal.result().steps().isEmpty()) {
          String now = "machines have " + proposal.result().after().text();
          String rest = proposal.rest().isEmpty() ? "" : "; " + proposal.rest();
          return nothing(Kind.NOTHING, now + rest);
        }
        var record =
            new RebalanceRecord(
                new Rebalance(wish.within(), wish.maxUnavailable(), caller.name()),
                proposal.result().moves());
        Outcome outcome = registry.commit(replacing(before, record));
        if (outcome instanceof Outcome.Committed) {
          return new Done<>(new RebalanceStart(Kind.BEGUN, proposal.rest()), outcome.revision());
        }
      }
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  private static Done<RebalanceStart> nothing(Kind kind, String text) {
    return new Done<>(new RebalanceStart(kind, text), 0);
  }

  private static Optional<Rebalance> underWay(Entry entry) {
    return Optional.of(RebalanceRecord.of(entry).rebalance()).filter(known -> !known.ended());
  }

  private static String underWay(Rebalance other) {
    return other.goesOn()
        ? ("a rebalance that %s asked for goes on: follow it with \"fleetctl rebalance\", or end it"
                + " with \"fleetctl rebalance --stop\"")
            .formatted(other.by())
        : "a rebalance that %s stopped has units on their way: ask again once they have come"
            .formatted(other.stoppedBy());
  }

  /** False where none goes on. */
  Done<Boolean> stop(Caller caller) {
    try {
      while (true) {
        Optional<Entry> before = registry.get(Keys.REBALANCE);
        Optional<RebalanceRecord> running =
            before.map(RebalanceRecord::of).filter(record -> record.rebalance().goesOn());
        if (running.isEmpty()) {
          return new Done<>(false, before.map(Entry::modified).orElse(0L));
        }
        Outcome outcome = registry.commit(replacing(before, running.get().stopped(caller.name())));
        if (outcome instanceof Outcome.Committed) {
          return new Done<>(true, outcome.revision());
        }
      }
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  private static Transaction replacing(Optional<Entry> before, RebalanceRecord record) {
    var transaction = Transaction.when();
    before.ifPresentOrElse(transaction::unmodified, () -> transaction.absent(Keys.REBALANCE));
    return transaction.put(Keys.REBALANCE, record.json()).build();
  }
}
