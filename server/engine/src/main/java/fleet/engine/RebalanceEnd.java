package fleet.engine;

import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.coordination.EventLoop;
import fleet.core.operation.Move;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.StoredRebalance.Stored;
import fleet.registry.records.Keys;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Ends a rebalance once none of its units moves or is about to. Looks only at units that were
 * looked at anyway. Owned by the state's loop.
 */
final class RebalanceEnd {

  private final ClusterState cluster;
  private final Rebalances rebalances;
  private final EventLoop loop;
  private final LeaderWrites.KeptKey key;

  /** The units that may still move. */
  private final Set<UnitName> open = new HashSet<>();

  private final SortedMap<String, String> stay = new TreeMap<>();
  private boolean allHadTheirTime;

  RebalanceEnd(LeaderWrites writes, ClusterState cluster, Rebalances rebalances, EventLoop loop) {
    this.cluster = cluster;
    this.rebalances = rebalances;
    this.loop = loop;
    this.key = writes.key(Keys.REBALANCE, "that a rebalance has ended");
  }

  /**
   * This engine begins to lead. A unit that seems unable to move may have machines that have not
   * reported yet.
   *
   * @param grace how long to wait for machines
   */
  void begin(Duration grace) {
    changed();
    loop.postAfter(grace, () -> allHadTheirTime = true);
  }

  /** The rebalance in the store has changed: all of its units are to be looked at. */
  void changed() {
    stay.clear();
    open.clear();
    Set<UnitName> moved = cluster.rebalance().underWay().keySet();
    open.addAll(moved);
    looked(moved.stream().filter(this::isNoMore).collect(Collectors.toSet()));
  }

  /** Units that are gone get no more decisions. */
  private boolean isNoMore(UnitName unit) {
    return cluster.units().of(unit).isEmpty() && cluster.schedule().of(unit).isEmpty();
  }

  /** The engine has decided about these units. */
  void looked(Set<UnitName> units) {
    Map<UnitName, Move> moves = cluster.rebalance().underWay();
    if (moves.isEmpty()) {
      return;
    }
    for (UnitName unit : units) {
      Move move = moves.get(unit);
      if (move != null) {
        note(rebalances.of(move));
      }
    }
  }

  private void note(Step how) {
    UnitName unit = how.unit();
    if (how.standing().isOpen()) {
      open.add(unit);
    } else {
      open.remove(unit);
    }
    if (how.standing() == Standing.STAYS) {
      stay.put(unit.value(), how.detail());
    } else {
      stay.remove(unit.value());
    }
  }

  /** At the end of a turn. */
  void reconcile() {
    Optional<Stored> stored = cluster.rebalance().stored();
    if (allHadTheirTime
        && open.isEmpty()
        && stored.filter(known -> !known.record().operation().stage().isOver()).isPresent()) {
      key.write(stored.map(Stored::entry), stored.map(known -> known.record().ended(stay).json()));
    }
  }
}
