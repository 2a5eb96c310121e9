package fleet.ctl.wait;

import fleet.ctl.client.Units;
import fleet.ctl.wait.Verdict.Announcement;
import fleet.ctl.wait.Verdict.Progress;
import fleet.ctl.wait.Verdict.Reached;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;

/** No machine has the unit any more; fleet keeps its text. */
public record InactiveGoal() implements Goal {

  @Override
  public String state() {
    return "inactive";
  }

  @Override
  public String whenInterrupted() {
    return "is being unloaded all the same";
  }

  @Override
  public Verdict judge(Sight sight) {
    if (sight.unit().isEmpty()) {
      return Verdict.failed("was destroyed meanwhile");
    }
    UnitEntity unit = sight.unit().get();
    if (!Units.desired(unit).equals("inactive")) {
      return Reports.overruled(unit);
    }
    if (!sight.states().isEmpty()) {
      return Verdict.pending(leaving(sight.states().getFirst()));
    }
    String machine = Units.machine(unit);
    if (!machine.isEmpty()) {
      return Verdict.pending(new Progress("to be unloaded on", machine, ""));
    }
    if (!Units.keptOn(unit).isEmpty()) {
      return Verdict.pending(Reports.kept("to be unloaded on", unit));
    }
    String current = Units.current(unit);
    return current.isEmpty() || current.equals("inactive")
        ? new Reached(new Announcement("inactive", ""), "")
        : Verdict.pending(Progress.of("to be unloaded"));
  }

  /** A machine that has the unit still. */
  static Progress leaving(StateEntity state) {
    Progress systemd = Reports.systemd(state);
    String problem = Reports.problem(state);
    return problem.isEmpty()
        ? systemd
        : new Progress(systemd.text(), systemd.machine(), ": " + problem);
  }
}
