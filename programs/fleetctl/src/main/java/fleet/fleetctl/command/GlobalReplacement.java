package fleet.fleetctl.command;

import fleet.core.unit.UnitFile;
import fleet.entities.RolloutRequestEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.OperationsClient.Rollout;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.wait.OperationMonitor;
import fleet.fleetctl.wait.RolloutWords;
import java.util.ArrayList;
import java.util.List;

/**
 * Replaces launched global units one machine after the other, by a rollout that goes on as soon as
 * the unit is active.
 */
final class GlobalReplacement {

  private final FleetClient client;
  private final Output output;
  private final WaitOptions wait;

  GlobalReplacement(FleetClient client, Output output, WaitOptions wait) {
    this.client = client;
    this.output = output;
    this.wait = wait;
  }

  /** Takes out those that are to be replaced so. */
  static List<UnitPreparation> takeFrom(List<UnitPreparation> prepared) {
    List<UnitPreparation> taken = new ArrayList<>();
    prepared.removeIf(one -> isToBeRolledOut(one) && taken.add(one));
    return taken;
  }

  /** fleet 1.0 has no incarnations, and no rollouts. */
  private static boolean isToBeRolledOut(UnitPreparation one) {
    if (one.existing().isEmpty() || one.toPut().isEmpty()) {
      return false;
    }
    UnitEntity unit = one.existing().get();
    return !unit.incarnation().isEmpty()
        && unit.desiredState().equals("launched")
        && UnitReader.isGlobal(unit)
        && UnitReader.isGlobal(one.name(), one.toPut().get());
  }

  /** Returns whether all have the new content. */
  boolean run(List<UnitPreparation> units) throws CommandException, FleetException {
    boolean whole = true;
    for (UnitPreparation one : units) {
      Rollout begun = begin(one);
      output.line("Triggered global unit " + one.name() + " start");
      output.flush();
      // Without a rollout of its own, the one that is there is somebody else's, and over.
      whole &= wait.noBlock || begun == Rollout.NOTHING_TO_DO || follow(one.name());
    }
    return whole;
  }

  private Rollout begin(UnitPreparation one) throws CommandException, FleetException {
    UnitFile file = one.toPut().orElseThrow();
    try {
      return client
          .operations()
          .startRollout(
              one.name(),
              new RolloutRequestEntity(
                  UnitReader.options(file), 1, 0L, null, UnitReader.text(file), List.of()));
    } catch (ApiException e) {
      if (!e.isNotInTurns()) {
        throw e;
      }
      throw CommandException.failed(
          "Error starting units: " + e.getMessage() + ", with --all-at-once");
    }
  }

  private boolean follow(String name) {
    return new OperationMonitor(
            client, output.aside(), new RolloutWords(name), false, true, wait.blockAttempts)
        .follow();
  }
}
