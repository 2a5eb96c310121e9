package fleet.engine;

import fleet.core.machine.Drain;
import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import fleet.core.operation.Operation;
import fleet.core.operation.OperationId;
import fleet.engine.UnitViews.Waiting;
import fleet.engine.state.ClusterState;

/** The metrics that follow from the leader's state, read at each scrape by the state thread. */
final class StateMetrics {

  private final LiveState state;
  private final Meter meter;

  StateMetrics(LiveState state, Meter meter) {
    this.state = state;
    this.meter = meter;
  }

  void tell() {
    ClusterState cluster = state.cluster();
    meter.record(Metric.FLEET_MACHINES, cluster.machines().all().size());
    meter.record(Metric.FLEET_UNITS, cluster.units().all().size());
    cluster
        .reports()
        .byActive()
        .forEach((active, count) -> meter.record(Metric.FLEET_UNIT_STATES, count, active));
    meter.record(Metric.FLEET_ENGINE_QUEUE, state.queue().size());
    tellWaiting();
    tellAbsent();
    tellOperations();
  }

  private void tellWaiting() {
    begin(Metric.FLEET_ENGINE_WAITING_UNITS);
    state
        .views()
        .waiting()
        .forEach((unit, why) ->
            meter.record(
                Metric.FLEET_ENGINE_WAITING_UNITS, 1, reason(why, state.queue().obstacle(unit))));
  }

  private static String reason(Waiting why, BlockedUnits.Obstacle obstacle) {
    if (why.kept()) {
      return "absent";
    }
    return why.refused() ? "refused" : obstacle.text();
  }

  private void tellAbsent() {
    begin(Metric.FLEET_ABSENT_MACHINES);
    state
        .missing()
        .absences()
        .machines()
        .forEach(absent -> meter.record(Metric.FLEET_ABSENT_MACHINES, 1, absent.standing().text()));
    meter.flag(Metric.FLEET_RESCHEDULING_PAUSED, state.missing().pause().isPresent());
  }

  private void tellOperations() {
    for (OperationId.Kind kind : OperationId.Kind.values()) {
      count(kind, "going", 0);
      count(kind, "paused", 0);
    }
    state.cluster().operations().all().stream()
        .filter(stored -> !stored.isOver())
        .forEach(stored -> count(stored.record().operation()));
    var drains = new Drains(state);
    state.cluster().machines().drained().stream()
        .filter(machine -> !drains.isDone(machine))
        .forEach(
            machine -> count(OperationId.Kind.DRAIN, isPaused(machine) ? "paused" : "going", 1));
  }

  private boolean isPaused(String machine) {
    return state.cluster().machines().drain(machine).filter(Drain::paused).isPresent();
  }

  private void count(Operation operation) {
    count(operation.id().kind(), operation.paused() ? "paused" : "going", 1);
  }

  private void count(OperationId.Kind kind, String stage, int operations) {
    meter.record(Metric.FLEET_OPERATIONS, operations, kind.text(), stage);
  }

  /** A gauge with a label that nothing has is 0, and not absent. */
  private void begin(Metric metric) {
    metric.labels().getFirst().values().forEach(value -> meter.record(metric, 0, value));
  }
}
