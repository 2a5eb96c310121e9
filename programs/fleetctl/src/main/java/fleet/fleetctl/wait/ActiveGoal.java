package fleet.fleetctl.wait;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.wait.Verdict.Announcement;
import fleet.fleetctl.wait.Verdict.Failed;
import fleet.fleetctl.wait.Verdict.Pending;
import fleet.fleetctl.wait.Verdict.Progress;
import fleet.fleetctl.wait.Verdict.Reached;
import fleet.fleetctl.wait.Verdict.Unsure;
import java.util.Optional;

/**
 * The unit was started: it is active, or it ran and ended well.
 *
 * <p>A machine counts a start only once systemd's job for it has ended, so that a state with the
 * right count is the result of that start.
 */
public record ActiveGoal() implements Goal {

  /** systemd forgets what has ended, and a fleetd that began since cannot ask it any more. */
  private static final String NOT_SEEN =
      "was not seen to run: does a Condition...= of its file not hold?";

  /** To systemd this is no failure, like a Condition...= that does not hold. */
  private static final String SKIPPED =
      "did not run: an ExecCondition= of its file does not hold on its machine";

  @Override
  public String state() {
    return "launched";
  }

  @Override
  public String whenInterrupted(UnitSnapshot last) {
    return Reports.scheduled(last);
  }

  @Override
  public Verdict judge(UnitSnapshot snapshot) {
    if (snapshot.unit().isEmpty()) {
      return Verdict.failed("was destroyed meanwhile");
    }
    UnitEntity unit = snapshot.unit().get();
    if (!unit.desiredState().equals("launched")) {
      return Reports.overruled(unit);
    }
    if (unit.machineID().isEmpty()) {
      return LoadedGoal.unplaced(unit);
    }
    Optional<StateEntity> state = Reports.current(snapshot, unit);
    if (state.isEmpty()) {
      return Verdict.pending(Reports.placed(unit));
    }
    return Reports.countsStarts(unit)
        ? judge(unit, state.get())
        : judgeUncounted(unit, state.get());
  }

  private static Verdict judge(UnitEntity unit, StateEntity state) {
    String problem = state.problem();
    if (!state.performed().equals("launched")) {
      return Verdict.pending(Reports.notYet("to be started on", state));
    }
    if (!Reports.isOfLastStart(state, unit)) {
      Progress progress =
          Reports.isBusy(state) ? Reports.systemd(state) : Reports.notYet("starting on", state);
      return new Pending(Optional.of(launched(state)), progress);
    }
    if (!problem.isEmpty()) {
      return failed(state, ": " + problem);
    }
    return switch (state.systemdActiveState()) {
      case "active", "reloading", "refreshing" -> new Reached(launched(state), "");
      case "failed" -> failed(state);
      case "inactive" -> ended(state);
      default -> new Pending(Optional.of(launched(state)), Reports.systemd(state));
    };
  }

  /** fleet 1.0 says that a unit is launched, and for a while that may be the start before. */
  private static Verdict judgeUncounted(UnitEntity unit, StateEntity state) {
    if (!unit.currentState().equals("launched")) {
      return Verdict.pending(Reports.notYet("to be started on", state));
    }
    return switch (state.systemdActiveState()) {
      case "active", "reloading" -> new Reached(launched(state), "");
      case "failed" -> new Unsure(failed(state), Reports.systemd(state));
      case "inactive" -> new Unsure(new Reached(launched(state), ""), Reports.systemd(state));
      default -> new Pending(Optional.of(launched(state)), Reports.systemd(state));
    };
  }

  private static Verdict ended(StateEntity state) {
    return switch (state.result()) {
      case "", "success" ->
          new Reached(launched(state), state.invocationID().isEmpty() ? NOT_SEEN : "");
      case "exec-condition" -> new Reached(launched(state), SKIPPED);
      default -> failed(state);
    };
  }

  private static Verdict failed(StateEntity state) {
    String result = state.result();
    return failed(state, result.isEmpty() ? "" : " (result " + result + ")");
  }

  private static Verdict failed(StateEntity state, String details) {
    String machine = state.machineID();
    return new Failed(
        Optional.of(launched(state)), new Progress("failed on", machine, details), machine);
  }

  private static Announcement launched(StateEntity state) {
    return new Announcement("launched", state.machineID());
  }
}
