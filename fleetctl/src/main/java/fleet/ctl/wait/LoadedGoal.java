package fleet.ctl.wait;

import fleet.ctl.client.Units;
import fleet.ctl.wait.Verdict.Announcement;
import fleet.ctl.wait.Verdict.Failed;
import fleet.ctl.wait.Verdict.Progress;
import fleet.ctl.wait.Verdict.Reached;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import java.util.Optional;

/** The unit's file is known to the systemd of its machine. */
public record LoadedGoal() implements Goal {

  @Override
  public String state() {
    return "loaded";
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
    if (!Units.desired(unit).equals("loaded")) {
      return Reports.overruled(unit);
    }
    if (Units.machine(unit).isEmpty()) {
      return unplaced(unit);
    }
    Optional<StateEntity> state = Reports.current(sight, unit);
    if (state.isEmpty()) {
      return Verdict.pending(Reports.placed(unit));
    }
    if (Reports.performed(state.get()).equals("inactive")) {
      return Verdict.pending(Reports.notYet("to be loaded on", state.get()));
    }
    return switch (Reports.load(state.get())) {
      case "bad-setting", "error", "masked" -> unusable(state.get());
      case "loaded" -> new Reached(new Announcement("loaded", Sight.machine(state.get())), "");
      default -> Verdict.pending(Reports.systemd(state.get()));
    };
  }

  static Verdict unplaced(UnitEntity unit) {
    Progress waiting = Reports.waitingForPlace(unit);
    return Boolean.TRUE.equals(unit.refused())
        ? new Failed(Optional.empty(), waiting, "")
        : Verdict.pending(waiting);
  }

  private static Verdict unusable(StateEntity state) {
    return new Failed(
        Optional.empty(),
        new Progress(
            "cannot be loaded on", Sight.machine(state), ": systemd says " + Reports.load(state)),
        Sight.machine(state));
  }
}
