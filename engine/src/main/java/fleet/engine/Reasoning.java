package fleet.engine;

import fleet.cluster.Reasons;
import fleet.cluster.Reasons.Standing;
import fleet.cluster.UnitView;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import fleet.engine.picture.ClusterPicture;
import fleet.engine.picture.KnownUnit;
import fleet.scheduler.Obstacle;
import fleet.scheduler.Why;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Says of one unit all there is to say about its place. Owned by the picture's event loop. */
final class Reasoning {

  private final ClusterPicture picture;
  private final Views views;
  private final Room room;

  Reasoning(ClusterPicture picture, Views views, Room room) {
    this.picture = picture;
    this.views = views;
    this.room = room;
  }

  Optional<Reasons> about(UnitName unit) {
    return picture.unit(unit).flatMap(known -> views.of(unit).map(view -> about(known, view)));
  }

  private Reasons about(KnownUnit known, UnitView view) {
    Why why = view.global() ? room.whyGlobal(known) : room.why(known);
    Standing standing = standing(view);
    return new Reasons(
        known.unit().name(),
        standing,
        view.machine(),
        reason(view, standing, why),
        why.machines(),
        why.obstacles().stream().map(obstacle -> obstacle(obstacle, why.machines())).toList(),
        why.nearest()
            .map(miss ->
                new Reasons.Miss(
                    miss.machine(),
                    miss.verdicts().stream().map(verdict -> verdict.text()).toList(),
                    miss.change())),
        why.contenders().stream()
            .map(one -> new Reasons.Contender(one.machine(), one.reason()))
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

  private static Reasons.Obstacle obstacle(Obstacle obstacle, int machines) {
    SortedMap<String, String> verdicts = new TreeMap<>();
    obstacle.verdicts().forEach((machine, verdict) -> verdicts.put(machine, verdict.text()));
    return new Reasons.Obstacle(obstacle.rule(), obstacle.inWords(machines), verdicts);
  }
}
