package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.FailureReport;
import fleet.fleetctl.wait.GlobalGoal;
import fleet.fleetctl.wait.Goal;
import fleet.fleetctl.wait.UnitSnapshot;
import fleet.fleetctl.wait.UnitWait;
import fleet.fleetctl.wait.WaitTarget;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Waits as the flags of a command say. */
final class Waits {

  private static final int NAMED = 8;

  private final FleetClient client;
  private final Output output;
  private final WaitOptions options;

  Waits(FleetClient client, Output output, WaitOptions options) {
    this.client = client;
    this.output = output;
    this.options = options;
  }

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
        int more = absent.size() - NAMED;
        output.problem(
            "Not waited for, as they are absent: "
                + absent.stream().limit(NAMED).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : ""));
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

  /** Runs of a unit before a command, to be told from runs after it. */
  List<String> invocations(String unit) throws FleetException {
    return new UnitSnapshot(Optional.empty(), client.statesOf(unit)).invocations();
  }
}
