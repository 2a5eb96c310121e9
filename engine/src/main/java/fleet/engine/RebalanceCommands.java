package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.Intent;
import fleet.cluster.RebalanceStart;
import fleet.cluster.RebalanceStart.Kind;
import fleet.core.operation.Rebalance;
import fleet.engine.OptimisticUpdates.Decision;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.RebalanceRecord;
import java.util.Optional;
import java.util.function.Supplier;

/** Commands about rebalances, written to the registry. */
final class RebalanceCommands {

  private final OptimisticUpdates updates;

  RebalanceCommands(Registry registry) {
    this.updates = new OptimisticUpdates(registry);
  }

  /**
   * Begins one, unless there is nothing to move or another has not ended.
   *
   * @param planners what finds the moves, of how the cluster is now
   */
  Done<RebalanceStart> start(
      Intent.Rebalance wish, Supplier<RebalancePlanner> planners, Caller caller) {
    return updates.update(Keys.REBALANCE, before -> start(before, wish, planners, caller));
  }

  private static Decision<RebalanceStart> start(
      Optional<Entry> before,
      Intent.Rebalance wish,
      Supplier<RebalancePlanner> planners,
      Caller caller) {
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
    return Decision.write(
        new RebalanceStart(Kind.BEGUN, proposal.rest()), replacing(before, record));
  }

  private static Decision<RebalanceStart> nothing(Kind kind, String text) {
    return Decision.leave(new RebalanceStart(kind, text));
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
    return updates.update(
        Keys.REBALANCE,
        before ->
            before
                .map(RebalanceRecord::of)
                .filter(record -> record.rebalance().goesOn())
                .map(record ->
                    Decision.write(true, replacing(before, record.stopped(caller.name()))))
                .orElseGet(() -> Decision.leave(false, before)));
  }

  private static Transaction.Builder replacing(Optional<Entry> before, RebalanceRecord record) {
    return Transaction.when().unchanged(Keys.REBALANCE, before).put(Keys.REBALANCE, record.json());
  }
}
