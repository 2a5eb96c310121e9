package fleet.simulation;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.NewRestart;
import fleet.cluster.NewRollout;
import fleet.cluster.PutResult;
import fleet.cluster.RestartResult;
import fleet.cluster.RolloutResult;
import fleet.cluster.StartResult;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Optional;

/** A request to the cluster whose answer is judged. */
sealed interface ClientRequest {

  /** Units are created, replaced or changed. */
  record Put(List<UnitPut> puts) implements ClientRequest {}

  record Destroy(UnitName unit) implements ClientRequest {}

  record Restart(UnitName unit) implements ClientRequest {}

  record StartAgain(UnitName unit) implements ClientRequest {}

  record RestartInTurns(NewRestart restart) implements ClientRequest {}

  record RollOut(NewRollout rollout) implements ClientRequest {}

  /** A reader wants to know how a unit is. */
  record Show(UnitName unit) implements ClientRequest {}

  /** The cluster's answer to it. */
  sealed interface Answer {

    /** In the order of the puts. */
    record Puts(List<PutResult> results) implements Answer {}

    record Destroyed(boolean was) implements Answer {}

    record Started(StartResult result) implements Answer {}

    record RestartedInTurns(RestartResult result) implements Answer {}

    record RolledOut(RolloutResult result) implements Answer {}

    record Shown(Optional<UnitView> view) implements Answer {}
  }

  /**
   * Asks a cluster.
   *
   * @param caller whose name nobody else has
   */
  default Answer ask(Cluster cluster, Caller caller) {
    return switch (this) {
      case Put put -> new Answer.Puts(cluster.put(put.puts(), caller));
      case Destroy destroy -> new Answer.Destroyed(cluster.destroy(destroy.unit(), caller));
      case Restart restart -> new Answer.Started(cluster.restart(restart.unit(), caller));
      case StartAgain start -> new Answer.Started(cluster.startAgain(start.unit(), caller));
      case RestartInTurns turns ->
          new Answer.RestartedInTurns(cluster.begin(turns.restart(), caller));
      case RollOut rollOut -> new Answer.RolledOut(cluster.begin(rollOut.rollout(), caller));
      case Show show -> new Answer.Shown(cluster.unit(show.unit()));
    };
  }

  /** In one line. */
  default String text() {
    return switch (this) {
      case Put put -> String.join(", ", put.puts().stream().map(ClientRequest::text).toList());
      case Destroy destroy -> "destroy " + destroy.unit();
      case Restart restart -> "restart " + restart.unit();
      case StartAgain start -> "start " + start.unit();
      case RestartInTurns turns ->
          "restart %s, on %d machines at a time"
              .formatted(turns.restart().name(), turns.restart().maxUnavailable());
      case RollOut rollOut ->
          "roll out %s, %d at a time: %s"
              .formatted(
                  rollOut.rollout().name(),
                  rollOut.rollout().maxUnavailable(),
                  rollOut.rollout().file().hash().substring(0, 7));
      case Show show -> "show " + show.unit();
    };
  }

  private static String text(UnitPut put) {
    return put.desired().map(state -> state.text() + " ").orElse("put ")
        + put.name()
        + put.file().map(file -> " " + file.hash().substring(0, 7)).orElse("")
        + (put.require().isEmpty() ? "" : " " + put.require());
  }
}
