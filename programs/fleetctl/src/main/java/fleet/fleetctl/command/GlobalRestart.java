package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.wait.Interruption;
import fleet.fleetctl.wait.OperationMonitor;
import fleet.fleetctl.wait.RestartWords;
import java.util.ArrayList;
import java.util.List;

/**
 * Restarts launched global units, one unit after the other, each on a few machines at a time. The
 * cluster carries it out. The first failure ends it, and the units behind it stay as they are.
 */
final class GlobalRestart {

  private final FleetClient client;
  private final Output output;
  private final WaitOptions wait;
  private final int maxUnavailable;

  /**
   * @param maxUnavailable on how many machines a unit is restarted at the same time
   */
  GlobalRestart(FleetClient client, Output output, WaitOptions wait, int maxUnavailable) {
    this.client = client;
    this.output = output;
    this.wait = wait;
    this.maxUnavailable = maxUnavailable;
  }

  /** Takes out the units that the cluster restarts in turns. */
  static List<String> takeFrom(List<UnitPreparation> prepared) {
    List<String> taken = new ArrayList<>();
    prepared.removeIf(one -> isToGoInTurns(one) && taken.add(one.name()));
    return taken;
  }

  /** fleet 1.0 has no incarnations, and no operations. */
  private static boolean isToGoInTurns(UnitPreparation one) {
    if (one.existing().isEmpty() || one.toPut().isPresent()) {
      return false;
    }
    UnitEntity unit = one.existing().get();
    return !unit.incarnation().isEmpty()
        && unit.desiredState().equals("launched")
        && UnitReader.isGlobal(unit);
  }

  int run(List<String> units) throws FleetException {
    for (int i = 0; i < units.size(); i++) {
      List<String> rest = units.subList(i + 1, units.size());
      boolean well;
      try (var interruption = new Interruption(() -> RollingRestart.tell(output, rest))) {
        well = restart(units.get(i));
        interruption.over();
      }
      if (!well) {
        RollingRestart.tell(output, rest);
        return ExitCode.FAILED;
      }
    }
    return ExitCode.OK;
  }

  private boolean restart(String name) throws FleetException {
    boolean begun = client.operations().restartInTurns(name, maxUnavailable);
    output.line(
        begun
            ? "Triggered global unit " + name + " restart"
            : "Restart of " + name + " is already under way.");
    output.flush();
    return new OperationMonitor(
            client, output.aside(), new RestartWords(name), false, true, wait.blockAttempts)
        .follow();
  }
}
