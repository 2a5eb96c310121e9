package fleet.engine;

import fleet.cluster.Intent;
import fleet.core.operation.Evenness;
import fleet.core.unit.UnitName;
import fleet.engine.state.ScheduledUnit;
import fleet.scheduler.RebalanceSolver;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the moves of a rebalance on a copy of the scheduler's state, so that the state thread does
 * not wait for it. For one thread, and for one request.
 */
final class RebalancePlanner {

  private final RebalanceSolver solver;

  private RebalancePlanner(RebalanceSolver solver) {
    this.solver = solver;
  }

  /** To be made on the state thread, and used on any thread. */
  static RebalancePlanner of(LiveState state) {
    var rebalances = new Rebalances(state);
    Set<UnitName> movable = new HashSet<>();
    for (ScheduledUnit placed : state.cluster().schedule().all()) {
      UnitName unit = placed.entry().unit();
      if (rebalances.isMovable(unit)) {
        movable.add(unit);
      }
    }
    return new RebalancePlanner(state.schedulerState().rebalanceSolver(movable::contains));
  }

  /**
   * A proposed rebalance.
   *
   * @param rest why machines are less even than requested afterwards; empty if they are not
   */
  record Proposal(RebalanceSolver.Result result, String rest) {}

  /** Why there is nothing to rebalance; empty if there is. */
  Optional<String> refusal() {
    return solver.isWanted()
        ? Optional.empty()
        : Optional.of(
            ("the cluster's strategy is %s, which does not spread units over machines: set another"
                    + " with \"fleetctl config set scheduler.strategy\"")
                .formatted(solver.strategy()));
  }

  Proposal propose(Intent.Rebalance wish) {
    int most = Math.min(wish.moves(), Intent.Rebalance.MOST_MOVES);
    RebalanceSolver.Result result = solver.moves(wish.within(), most);
    return new Proposal(result, rest(wish, result));
  }

  private static String rest(Intent.Rebalance wish, RebalanceSolver.Result result) {
    Evenness after = result.after();
    int moves = result.steps().size();
    if (after.difference() <= wish.within()) {
      return "";
    }
    if (moves >= Intent.Rebalance.MOST_MOVES) {
      return "a rebalance moves at most "
          + Intent.Rebalance.MOST_MOVES
          + " units: ask for another once it has ended";
    }
    return moves >= wish.moves()
        ? "more moves would be needed"
        : "no more units may move from the machines that have the most to those that have fewer";
  }
}
