package fleet.engine;

import fleet.cluster.OperationProgress;
import fleet.core.operation.Operation;
import fleet.core.operation.OperationId;
import fleet.engine.decide.OperationStep;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.registry.records.OperationRecord;
import fleet.registry.records.RebalanceRecord;
import fleet.registry.records.RestartRecord;
import fleet.registry.records.RolloutRecord;
import fleet.scheduler.Decision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Asks each kind of operation what comes next and how far it is. Changes nothing. Owned by the
 * state thread.
 */
final class Operations {

  private final ClusterState cluster;
  private final Drains drains;
  private final Rebalances rebalances;
  private final Rollouts rollouts;
  private final GlobalRollouts globals;

  Operations(LiveState state) {
    this.cluster = state.cluster();
    this.drains = new Drains(state);
    this.rebalances = new Rebalances(state);
    this.globals = new GlobalRollouts(state);
    this.rollouts = new Rollouts(state);
  }

  // ---- how they go

  /** Sorted by id. */
  List<OperationProgress> all() {
    List<OperationProgress> all = new ArrayList<>();
    cluster.machines().drained().forEach(one -> drains.progress(one).ifPresent(all::add));
    cluster.operations().all().forEach(stored -> all.add(progress(stored.record())));
    all.sort(Comparator.comparing(progress -> progress.operation().id()));
    return all;
  }

  Optional<OperationProgress> of(OperationId id) {
    return id.kind() == OperationId.Kind.DRAIN
        ? drains.progress(id.subject())
        : cluster.operations().of(id).map(stored -> progress(stored.record()));
  }

  private OperationProgress progress(OperationRecord record) {
    OperationProgress progress = ofKind(record);
    Operation operation = record.operation();
    return operation.goesOn() && !operation.paused()
        ? progress.heldBy(cluster.operations().held())
        : progress;
  }

  private OperationProgress ofKind(OperationRecord record) {
    return switch (record) {
      case RebalanceRecord rebalance -> rebalances.progress(rebalance);
      case RolloutRecord rollout -> rollouts.progress(rollout);
      case RestartRecord restart -> globals.progress(restart, restart.global(), "");
    };
  }

  // ---- what comes next

  OperationStep next(OperationRecord record, Rollouts.Stopwatch stopwatch) {
    return switch (record) {
      case RebalanceRecord rebalance -> rebalances.next(rebalance);
      case RolloutRecord rollout -> rollouts.next(rollout, stopwatch);
      case RestartRecord restart -> globals.next(restart, restart.global(), stopwatch);
    };
  }

  /** Why a unit is to go elsewhere though it may stay where it is; empty if it is not. */
  Optional<String> why(ScheduledUnit placed) {
    return drains.why(placed).or(() -> rebalances.why(placed));
  }

  /** Whether it is to go because its machine is drained. */
  boolean isDrained(ScheduledUnit placed) {
    return drains.why(placed).isPresent();
  }

  /** The next step for a unit that {@link #why} says is to go elsewhere. */
  Drains.MoveDecision moveDecision(KnownUnit known, ScheduledUnit placed) {
    return isDrained(placed)
        ? drains.moveDecision(known, placed)
        : rebalances.moveDecision(known, placed);
  }

  /** The place of a unit that has left a machine for a named one; empty if none was named. */
  Optional<Decision> place(KnownUnit known, ScheduledUnit left) {
    return rebalances.place(known, left);
  }
}
