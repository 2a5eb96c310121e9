package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.FailureReport;
import fleet.fleetctl.wait.GlobalGoal;
import fleet.fleetctl.wait.Goal;
import fleet.fleetctl.wait.OperationMonitor;
import fleet.fleetctl.wait.OperationWords;
import fleet.fleetctl.wait.UnitSnapshot;
import fleet.fleetctl.wait.UnitWait;
import fleet.fleetctl.wait.WaitTarget;
import java.util.List;
import java.util.Optional;

/** Waits as the flags of a command say. */
record Waits(FleetClient client, Output output, WaitOptions options) {

  private static final int NAMED = 8;

  boolean isOff() {
    return options.noBlock;
  }

  /**
   * The wait for a global unit on all of its machines; none if the command does not wait.
   *
   * @param done such as {@code launched}
   */
  List<WaitTarget> everywhere(String unit, Goal each, String done) {
    return isOff() ? List.of() : List.of(new WaitTarget(unit, new GlobalGoal(each, done)));
  }

  /**
   * Waits for all, and prints failures.
   *
   * @return the units that reached their goal
   */
  List<String> await(List<WaitTarget> targets) {
    List<String> reached =
        new UnitWait(client, output, new FailureReport(client, output), options.blockAttempts)
            .await(targets);
    if (targets.stream().anyMatch(target -> target.goal() instanceof GlobalGoal)) {
      tellAbsent();
    }
    return reached;
  }

  /**
   * Nobody can say whether a global unit fits a machine that is not there. Cordoned ones without
   * units get none when they are back.
   */
  private void tellAbsent() {
    try {
      List<String> absent =
          client.operations().rescheduling().absent().stream()
              .filter(machine -> !machine.standing().equals("cordoned"))
              .map(machine -> MachineNames.shortId(machine.id()))
              .toList();
      if (!absent.isEmpty()) {
        output.problem("Not waited for, as they are absent: " + ApplyText.names(NAMED, absent));
      }
    } catch (FleetException unknown) {
      // The units are as they should be; fleet 1.0 knows of no absent machines.
    }
  }

  /**
   * Waits for all, or tells that they were asked for.
   *
   * @param asked says so of a unit, as a format
   * @return whether all came true, as far as is waited for
   */
  boolean all(List<WaitTarget> targets, String asked) {
    if (isOff()) {
      targets.forEach(target -> output.line(asked.formatted(target.unit())));
      return true;
    }
    return await(targets).size() == targets.size();
  }

  /** Follows an operation that has begun, unless nobody waits; returns its success. */
  boolean follow(OperationWords words, Output to) {
    return isOff()
        || new OperationMonitor(client, to, words, false, true, options.blockAttempts).follow();
  }

  /** Runs of a unit before a command, to be told from runs after it. */
  List<String> invocations(String unit) throws FleetException {
    return new UnitSnapshot(Optional.empty(), client.statesOf(unit)).invocations();
  }
}
