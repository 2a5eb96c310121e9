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
 * start it and not have said so yet, be away for a moment or in maintenance: it is waited for until
 * it has given the unit up, or is given up itself.
 *
 * @param incarnation of what was destroyed; empty if the daemon is of fleet 1.0. Somebody may
 *     submit the name again meanwhile, and that is another one
 * @param keptOn the machine that it stayed with though that was not there; may be empty
 * @param global whether it ran on every machine that fits; none of them is given it by name
 */
public record GoneGoal(String incarnation, String keptOn, boolean global) implements Goal {

  /** The goal for a unit that is destroyed. */
  public static GoneGoal of(UnitEntity unit) {
    return new GoneGoal(unit.incarnation(), unit.keptOn(), Boolean.TRUE.equals(unit.global()));
  }

  @Override
  public String state() {
    return "gone";
  }

  @Override
  public String whenInterrupted(UnitSnapshot last) {
    return "is still being destroyed";
  }

  @Override
  public Verdict judge(UnitSnapshot snapshot) {
    if (snapshot.unit().filter(this::isSame).isPresent()) {
      return Verdict.pending(Progress.of("to be destroyed"));
    }
    for (StateEntity state : snapshot.states()) {
      if (isSame(state)) {
        return Verdict.pending(InactiveGoal.leaving(state));
      }
    }
    String unreported = unreportedOn(snapshot);
    if (!unreported.isEmpty()) {
      return judgeUnreported(unreported, snapshot.presence());
    }
    return keptOn.isEmpty() || snapshot.presence() == MachinePresence.PRESENT
        ? new Reached(destroyed(), "")
        : mayRunOn(keptOn);
  }

  /** The machine that has to give the unit up; empty if there is none. */
  String unreportedOn(UnitSnapshot snapshot) {
    return global || snapshot.unit().isPresent() ? "" : snapshot.unreportedOn();
  }

  private Verdict judgeUnreported(String machine, MachinePresence presence) {
    return switch (presence) {
      case PRESENT -> Verdict.pending(new Progress("to be stopped on", machine, ""));
      case AWAITED ->
          Verdict.pending(
              new Progress(
                  "to be stopped on", machine, ", which is not there; the leader waits for it"));
      case IN_MAINTENANCE ->
          Verdict.pending(new Progress("to be stopped on", machine, ", which is in maintenance"));
      case AWAY -> mayRunOn(machine);
      // Unless the unit was kept there, the leader has it leave as if its process had ended.
      case LOST ->
          machine.equals(keptOn)
              ? mayRunOn(machine)
              : Verdict.pending(new Progress("to be taken from", machine, ", which is lost"));
    };
  }

  private static Verdict mayRunOn(String machine) {
    return new Failed(
        Optional.of(destroyed()),
        new Progress(
            "is destroyed, and its process may run on",
            machine,
            ", which is not there and stops it when it is back"),
        "");
  }

  private static Announcement destroyed() {
    return new Announcement("destroyed", "");
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
