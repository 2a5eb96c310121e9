package fleet.engine;

import fleet.cluster.AbsentMachines;
import fleet.cluster.MachineView;
import fleet.cluster.PlacementReasons;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.scheduler.Scheduler;
import java.util.List;
import java.util.Optional;

/**
 * The state of the cluster and all that is computed from it. Owned by the loop of its {@link
 * StateLoader}; the answer to a query must not hold on to any of it.
 *
 * @param missing the absent machines, and the fate of their units
 * @param queue the units to look at
 */
record LiveState(
    ClusterState cluster,
    UnitViews views,
    StateLists images,
    MissingMachines missing,
    SchedulerState schedulerState,
    WorkQueue queue,
    OpenOffers offers) {

  /** Makes an empty state. */
  static LiveState empty(Scheduler scheduler) {
    var cluster = new ClusterState();
    var schedulerState = new SchedulerState(cluster, scheduler);
    var queue = new WorkQueue(cluster, schedulerState);
    return new LiveState(
        cluster,
        new UnitViews(cluster),
        new StateLists(cluster),
        new MissingMachines(cluster),
        schedulerState,
        queue,
        new OpenOffers(cluster, schedulerState, queue));
  }

  Optional<PlacementReasons> why(UnitName unit) {
    return new PlacementExplainer(cluster, views, schedulerState).about(unit);
  }

  List<MachineView> machines() {
    return images.machines().stream().map(schedulerState::view).toList();
  }

  Operations operations() {
    return new Operations(cluster, views, schedulerState);
  }

  RebalancePlanner rebalancePlanner() {
    return RebalancePlanner.of(cluster, views, schedulerState);
  }

  AbsentMachines absences() {
    return missing.absences();
  }
}
