package fleet.fleetctl.wait;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.wait.Verdict.Progress;
import java.util.Optional;

/** Readings of units and states for goals. */
final class Reports {

  private Reports() {}

  /** Whether the unit is in use by systemd: running, or on its way there or back. */
  static boolean isBusy(StateEntity state) {
    return switch (state.systemdActiveState()) {
      case "inactive", "failed", "" -> false;
      default -> true;
    };
  }

  /** Whether the machine reports the present content of the unit. */
  static boolean isOfContent(StateEntity state, UnitEntity unit) {
    String wanted = unit.incarnation();
    if (!wanted.isEmpty()) {
      return wanted.equals(state.incarnation());
    }
    String hash = state.hash();
    return hash.isEmpty() || unit.options().isEmpty() || hash.equals(UnitReader.file(unit).hash());
  }

  /** Whether the daemon says of which start a state is. */
  static boolean countsStarts(UnitEntity unit) {
    return unit.restartCounter() != null;
  }

  /** Whether the machine has carried out the last start that was asked for. */
  static boolean isOfLastStart(StateEntity state, UnitEntity unit) {
    Long wanted = unit.restartCounter();
    Long done = state.restartCounter();
    return wanted == null || (done != null && done >= wanted);
  }

  /** The state that the unit's own machine reports of its present content. */
  static Optional<StateEntity> current(UnitSnapshot snapshot, UnitEntity unit) {
    return snapshot.stateOn(unit.machineID()).filter(state -> isOfContent(state, unit));
  }

  /** Why the unit is not on a machine yet. */
  static Progress waitingForPlace(UnitEntity unit) {
    String why = unit.waiting();
    return Progress.of("waiting for a place" + (why.isEmpty() ? "" : ": " + why));
  }

  /** The words for a unit that its user does not wait for any longer. */
  static String scheduled(UnitSnapshot last) {
    return isWaiting(last) ? "still waits for a place" : "remains scheduled";
  }

  /** Whether there is no place for the unit. */
  static boolean isWaiting(UnitSnapshot last) {
    return last.unit().filter(unit -> !unit.waiting().isEmpty()).isPresent();
  }

  /** It stays with an absent machine, and may still run. */
  static Progress kept(String toBe, UnitEntity unit) {
    String why = unit.waiting();
    return new Progress(toBe, unit.keptOn(), why.isEmpty() ? "" : ": " + why);
  }

  /** It has a machine, which does not have it yet. */
  static Progress placed(UnitEntity unit) {
    String reason = unit.reason();
    return new Progress(
        "placed on",
        unit.machineID(),
        (reason.isEmpty() ? "" : " (" + reason + ")") + ", not there yet");
  }

  /** Such as {@code activating (start-pre) on 113f16a7...}. */
  static Progress systemd(StateEntity state) {
    String sub = state.systemdSubState();
    String text = state.systemdActiveState() + (sub.isEmpty() ? "" : " (" + sub + ")");
    return new Progress(text + " on", state.machineID(), restarts(state));
  }

  /** A step still to come, with what keeps the machine from it; the machine retries. */
  static Progress notYet(String text, StateEntity state) {
    String problem = state.problem();
    return new Progress(text, state.machineID(), problem.isEmpty() ? "" : ": " + problem);
  }

  private static String restarts(StateEntity state) {
    Long restarts = state.restarts();
    if (restarts == null || restarts == 0) {
      return "";
    }
    String result = state.result();
    String last = result.isEmpty() || result.equals("success") ? "" : ", last result " + result;
    return ", restarted " + restarts + (restarts == 1 ? " time" : " times") + last;
  }

  /** Somebody else changed the desired state in the middle of the wait. */
  static Verdict overruled(UnitEntity unit) {
    String by = unit.by();
    return Verdict.failed(
        "got the desired state "
            + unit.desiredState()
            + " meanwhile"
            + (by.isEmpty() ? "" : " by " + by));
  }
}
