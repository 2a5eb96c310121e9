package fleet.ctl.wait;

import fleet.ctl.client.Units;
import fleet.ctl.wait.Verdict.Announcement;
import fleet.ctl.wait.Verdict.Failed;
import fleet.ctl.wait.Verdict.Pending;
import fleet.ctl.wait.Verdict.Progress;
import fleet.ctl.wait.Verdict.Reached;
import fleet.ctl.wait.Verdict.Unsure;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import java.util.List;
import java.util.Optional;

/**
 * The unit was started: it is active, or it ran and ended well.
 *
 * @param before the invocations that were there before the start was asked for
 */
public record ActiveGoal(List<String> before) implements Goal {

  public ActiveGoal {
    before = List.copyOf(before);
  }

  @Override
  public String state() {
    return "launched";
  }

  @Override
  public String whenInterrupted() {
    return "remains scheduled";
  }

  @Override
  public Verdict judge(Sight sight) {
    if (sight.unit().isEmpty()) {
      return Verdict.failed("was destroyed meanwhile");
    }
    UnitEntity unit = sight.unit().get();
    if (!Units.desired(unit).equals("launched")) {
      return Reports.overruled(unit);
    }
    if (Units.machine(unit).isEmpty()) {
      return LoadedGoal.unplaced(unit);
    }
    Optional<StateEntity> state = Reports.current(sight, unit);
    if (state.isEmpty()) {
      return Verdict.pending(new Progress("placed on", Units.machine(unit), ", not there yet"));
    }
    return judge(unit, state.get());
  }

  private Verdict judge(UnitEntity unit, StateEntity state) {
    if (!isStarted(unit, state)) {
      Progress progress = new Progress("to be started on", Sight.machine(state), "");
      return Reports.problem(state).isEmpty()
          ? Verdict.pending(progress)
          : new Unsure(LoadedGoal.refused(state), progress);
    }
    if (!Reports.problem(state).isEmpty()) {
      return LoadedGoal.refused(state);
    }
    return switch (Reports.active(state)) {
      case "active", "reloading", "refreshing" -> new Reached(launched(state), "");
      case "failed" -> failed(unit, state);
      case "inactive" -> ended(unit, state);
      default -> new Pending(Optional.of(launched(state)), Reports.systemd(state));
    };
  }

  private static boolean isStarted(UnitEntity unit, StateEntity state) {
    if (!Reports.countsStarts(unit)) {
      return Units.current(unit).equals("launched");
    }
    return Reports.isOfLastStart(state, unit) && !Reports.performed(state).equals("loaded");
  }

  private Verdict failed(UnitEntity unit, StateEntity state) {
    Verdict failed = failure(state);
    return Reports.countsStarts(unit) && !before.contains(Reports.invocation(state))
        ? failed
        : new Unsure(failed, Reports.systemd(state));
  }

  private Verdict ended(UnitEntity unit, StateEntity state) {
    String invocation = Reports.invocation(state);
    String result = Reports.result(state);
    boolean well = result.isEmpty() || result.equals("success");
    if (Reports.countsStarts(unit) && !invocation.isEmpty() && !before.contains(invocation)) {
      return well ? new Reached(launched(state), "") : failure(state);
    }
    String note =
        Reports.countsStarts(unit) && invocation.isEmpty()
            ? "systemd did not run it: does a Condition...= of its file not hold?"
            : "";
    return new Unsure(
        well ? new Reached(launched(state), note) : failure(state), Reports.systemd(state));
  }

  private static Verdict failure(StateEntity state) {
    String result = Reports.result(state);
    return new Failed(
        new Progress(
            "failed on", Sight.machine(state), result.isEmpty() ? "" : " (result " + result + ")"),
        Sight.machine(state));
  }

  private static Announcement launched(StateEntity state) {
    return new Announcement("launched", Sight.machine(state));
  }
}
