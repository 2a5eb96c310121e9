package fleet.fleetctl.wait;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.wait.Verdict.Announcement;
import fleet.fleetctl.wait.Verdict.Progress;
import fleet.fleetctl.wait.Verdict.Reached;

/** No machine has the unit any more; fleet keeps its text. */
public record InactiveGoal() implements Goal {

  @Override
  public String state() {
    return "inactive";
  }

  @Override
  public String whenInterrupted(UnitSnapshot last) {
    return "is still being unloaded";
  }

  @Override
  public Verdict judge(UnitSnapshot snapshot) {
    if (snapshot.unit().isEmpty()) {
      return Verdict.failed("was destroyed meanwhile");
    }
    UnitEntity unit = snapshot.unit().get();
    if (!unit.desiredState().equals("inactive")) {
      return Reports.overruled(unit);
    }
    if (!snapshot.states().isEmpty()) {
      return Verdict.pending(leaving(snapshot.states().getFirst()));
    }
    String machine = unit.machineID();
    if (!machine.isEmpty()) {
      return Verdict.pending(new Progress("to be unloaded on", machine, ""));
    }
    if (!unit.keptOn().isEmpty()) {
      return Verdict.pending(Reports.kept("to be unloaded on", unit));
    }
    String current = unit.currentState();
    return current.isEmpty() || current.equals("inactive")
        ? new Reached(new Announcement("inactive", ""), "")
        : Verdict.pending(Progress.of("to be unloaded"));
  }

  /** A machine that has the unit still. */
  static Progress leaving(StateEntity state) {
    Progress systemd = Reports.systemd(state);
    String problem = state.problem();
    return problem.isEmpty()
        ? systemd
        : new Progress(systemd.text(), systemd.machine(), ": " + problem);
  }
}
