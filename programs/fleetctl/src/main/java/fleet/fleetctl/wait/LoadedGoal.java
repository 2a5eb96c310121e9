package fleet.fleetctl.wait;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.wait.Verdict.Announcement;
import fleet.fleetctl.wait.Verdict.Failed;
import fleet.fleetctl.wait.Verdict.Progress;
import fleet.fleetctl.wait.Verdict.Reached;
import java.util.Optional;

/** The unit's file is known to the systemd of its machine. */
public record LoadedGoal() implements Goal {

  @Override
  public String state() {
    return "loaded";
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
    if (!unit.desiredState().equals("loaded")) {
      return Reports.overruled(unit);
    }
    if (unit.machineID().isEmpty()) {
      return unplaced(unit);
    }
    Optional<StateEntity> state = Reports.current(snapshot, unit);
    if (state.isEmpty()) {
      return Verdict.pending(Reports.placed(unit));
    }
    if (state.get().performed().equals("inactive")) {
      return Verdict.pending(Reports.notYet("to be loaded on", state.get()));
    }
    return switch (state.get().systemdLoadState()) {
      case "bad-setting", "error", "masked" -> unusable(state.get());
      case "loaded" -> new Reached(new Announcement("loaded", state.get().machineID()), "");
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
            "cannot be loaded on", state.machineID(), ": systemd says " + state.systemdLoadState()),
        state.machineID());
  }
}
