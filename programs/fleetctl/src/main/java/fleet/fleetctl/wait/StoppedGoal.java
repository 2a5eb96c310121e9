package fleet.fleetctl.wait;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.wait.Verdict.Announcement;
import fleet.fleetctl.wait.Verdict.Progress;
import fleet.fleetctl.wait.Verdict.Reached;
import java.util.List;
import java.util.Optional;

/**
 * The unit was stopped, its process has ended, and it is still on its machine.
 *
 * @param before the invocations that were there before the stop was asked for
 */
public record StoppedGoal(List<String> before) implements Goal {

  public StoppedGoal {
    before = List.copyOf(before);
  }

  @Override
  public String state() {
    return "loaded";
  }

  @Override
  public String whenInterrupted(UnitSnapshot last) {
    return "is still being stopped";
  }

  @Override
  public Verdict judge(UnitSnapshot snapshot) {
    if (snapshot.unit().isEmpty()) {
      return Verdict.failed("was destroyed meanwhile");
    }
    UnitEntity unit = snapshot.unit().get();
    if (unit.desiredState().equals("launched")) {
      return Reports.overruled(unit);
    }
    String machine = unit.machineID();
    Optional<StateEntity> state = snapshot.stateOn(machine);
    if (state.isPresent()) {
      return judge(unit, state.get());
    }
    if (!machine.isEmpty()) {
      // It may run on there: the machine is cut off, or has not reported to a new leader yet.
      return Verdict.pending(
          new Progress("to be stopped on", machine, ", which says nothing of it"));
    }
    if (!unit.keptOn().isEmpty()) {
      return Verdict.pending(Reports.kept("to be stopped on", unit));
    }
    return unit.currentState().equals("launched")
        ? Verdict.pending(Progress.of("to be stopped"))
        : new Reached(new Announcement("loaded", ""), "");
  }

  private Verdict judge(UnitEntity unit, StateEntity state) {
    if (!isTold(unit, state)) {
      return Verdict.pending(
          Reports.isBusy(state)
              ? InactiveGoal.leaving(state)
              : Reports.notYet("to be stopped on", state));
    }
    Announcement stopped = new Announcement("loaded", state.machineID());
    if (!Reports.isBusy(state)) {
      return new Reached(stopped, "");
    }
    if (isStartedByAnother(state)) {
      return new Reached(
          stopped,
          "was stopped, and started again by systemd: by a socket, a timer, a dependency?");
    }
    return Verdict.pending(Reports.systemd(state));
  }

  private static boolean isTold(UnitEntity unit, StateEntity state) {
    String performed = state.performed();
    return performed.isEmpty()
        ? !unit.currentState().equals("launched")
        : performed.equals("loaded");
  }

  private boolean isStartedByAnother(StateEntity state) {
    String invocation = state.invocationID();
    return !before.isEmpty() && !invocation.isEmpty() && !before.contains(invocation);
  }
}
