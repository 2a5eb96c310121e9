package fleet.fleetctl.wait;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.wait.Verdict.Announcement;
import fleet.fleetctl.wait.Verdict.Failed;
import fleet.fleetctl.wait.Verdict.Progress;
import fleet.fleetctl.wait.Verdict.Reached;
import java.util.Optional;

/**
 * The unit is destroyed and its process has ended on every machine. A machine may have begun to
 * start it and not have said so yet: it is asked for until it has given the unit up.
 *
 * @param incarnation of what was destroyed; empty if the daemon is of fleet 1.0. Somebody may
 *     submit the name again meanwhile, and that is another one
 * @param keptOn the machine that it stayed with though that was not there; may be empty
 */
public record GoneGoal(String incarnation, String keptOn) implements Goal {

  @Override
  public String state() {
    return "gone";
  }

  @Override
  public String whenInterrupted(UnitSnapshot last) {
    return "is still being destroyed";
  }

  @Override
  public Verdict judge(UnitSnapshot sight) {
    if (sight.unit().filter(this::isSame).isPresent()) {
      return Verdict.pending(Progress.of("to be destroyed"));
    }
    for (StateEntity state : sight.states()) {
      if (isSame(state)) {
        return Verdict.pending(InactiveGoal.leaving(state));
      }
    }
    String unreported = sight.unreportedOn();
    if (sight.unit().isEmpty() && !unreported.isEmpty() && !unreported.equals(keptOn)) {
      return Verdict.pending(new Progress("to be stopped on", unreported, ""));
    }
    var destroyed = new Announcement("destroyed", "");
    return keptOn.isEmpty()
        ? new Reached(destroyed, "")
        : new Failed(
            Optional.of(destroyed),
            new Progress(
                "is destroyed, and its process may run on",
                keptOn,
                ", which is not there and stops it when it is back"),
            "");
  }

  private boolean isSame(UnitEntity unit) {
    String found = unit.incarnation();
    return found.isEmpty() || found.equals(incarnation);
  }

  private boolean isSame(StateEntity state) {
    String found = state.incarnation();
    return incarnation.isEmpty() || found.isEmpty() || found.equals(incarnation);
  }
}
