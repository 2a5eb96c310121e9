package fleet.engine;

import fleet.cluster.OperationProgress;
import fleet.core.operation.OperationId;
import fleet.engine.state.ClusterState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The progress of operations, from what their planners say comes next. Owned by the state's loop.
 */
final class Operations {

  private final ClusterState cluster;
  private final Drains drains;
  private final Rebalances rebalances;
  private final Rollouts rollouts;

  Operations(ClusterState cluster, UnitViews views, SchedulerState schedulerState) {
    this.cluster = cluster;
    this.drains = new Drains(cluster, views, schedulerState);
    this.rebalances = new Rebalances(cluster, views, schedulerState);
    this.rollouts = new Rollouts(cluster, views, schedulerState);
  }

  /** Sorted by id. */
  List<OperationProgress> all() {
    List<OperationProgress> all = new ArrayList<>(rollouts.all());
    rebalances.progress().ifPresent(all::add);
    for (String machine : cluster.machines().drained()) {
      drains.progress(machine).ifPresent(all::add);
    }
    all.sort(Comparator.comparing(progress -> progress.operation().id().text()));
    return all;
  }

  Optional<OperationProgress> of(OperationId id) {
    return switch (id.kind()) {
      case DRAIN -> drains.progress(id.subject());
      case REBALANCE -> rebalances.progress();
      case ROLLOUT -> rollouts.progress(id.unit());
    };
  }
}
