package fleet.engine;

import fleet.cluster.PlacementReasons;
import fleet.cluster.PlacementReasons.Standing;
import fleet.cluster.UnitView;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.scheduler.Obstacle;
import fleet.scheduler.Why;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Explains the placement of one unit in full. Owned by the state thread. */
final class PlacementExplainer {

  private final ClusterState cluster;
  private final UnitViews views;
  private final SchedulerState schedulerState;

  PlacementExplainer(LiveState state) {
    this.cluster = state.cluster();
    this.views = state.views();
    this.schedulerState = state.schedulerState();
  }

  Optional<PlacementReasons> about(UnitName unit) {
    return cluster
        .units()
        .of(unit)
        .flatMap(known -> views.of(unit).map(view -> about(known, view)));
  }

  private PlacementReasons about(KnownUnit known, UnitView view) {
    Why why = view.global() ? schedulerState.whyGlobal(known) : schedulerState.why(known);
    Standing standing = standing(view);
    return new PlacementReasons(
        known.unit().name(),
        standing,
        view.machine(),
        reason(view, standing, why),
        why.machines(),
        why.obstacles().stream().map(obstacle -> obstacle(obstacle, why.machines())).toList(),
        why.nearest()
            .map(miss ->
                new PlacementReasons.Miss(
                    miss.machine(),
                    miss.verdicts().stream().map(verdict -> verdict.text()).toList(),
                    miss.change())),
        why.contenders().stream()
            .map(one -> new PlacementReasons.Contender(one.machine(), one.reason()))
            .toList(),
        known.unit().require());
  }

  private static Standing standing(UnitView view) {
    if (view.machine().isPresent()) {
      return Standing.PLACED;
    }
    if (view.unit().desired() == DesiredState.INACTIVE) {
      return Standing.INACTIVE;
    }
    return view.global() ? Standing.GLOBAL : Standing.WAITS;
  }

  private static String reason(UnitView view, Standing standing, Why why) {
    return switch (standing) {
      case INACTIVE -> "nobody asks for it to be loaded or started";
      case PLACED -> view.reason();
      case WAITS -> view.waiting().isEmpty() ? "it is about to be placed" : view.waiting();
      case GLOBAL -> global(view, why);
    };
  }

  private static String global(UnitView view, Why why) {
    if (!view.waiting().isEmpty()) {
      return view.waiting();
    }
    return why.obstacles().isEmpty() ? "every machine fits" : why.obstaclesInWords();
  }

  private static PlacementReasons.Obstacle obstacle(Obstacle obstacle, int machines) {
    SortedMap<String, String> verdicts = new TreeMap<>();
    obstacle.verdicts().forEach((machine, verdict) -> verdicts.put(machine, verdict.text()));
    return new PlacementReasons.Obstacle(obstacle.rule(), obstacle.inWords(machines), verdicts);
  }
}
