package fleet.fleetctl.command;

import fleet.core.unit.UnitFile;
import fleet.entities.RolloutRequestEntity;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.OperationsClient.Rollout;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.wait.RolloutWords;
import java.util.ArrayList;
import java.util.List;

/** Begins rollouts, and follows each to its end unless told not to. */
record FollowedRollout(FleetClient client, Output output, Waits waits) {

  /** Returns whether all have the new content, or get it without anybody waiting. */
  boolean run(String name, RolloutRequestEntity wanted) throws FleetException {
    switch (client.operations().startRollout(name, wanted)) {
      case STARTED -> output.line("Rollout of " + name + " has begun.");
      case UNDER_WAY ->
          output.line("Rollout of " + name + " to this version is already under way.");
      case NOTHING_TO_DO -> {
        output.line("All of " + name + " already have this version: nothing to do.");
        return true;
      }
    }
    output.flush();
    return waits.follow(new RolloutWords(name), output);
  }

  // ---- global units

  /** Takes out the launched global units that are to be replaced. */
  static List<UnitPreparation> takeGlobal(List<UnitPreparation> prepared) {
    List<UnitPreparation> taken = new ArrayList<>();
    prepared.removeIf(one -> isToBeReplaced(one) && taken.add(one));
    return taken;
  }

  private static boolean isToBeReplaced(UnitPreparation one) {
    return one.toPut().isPresent()
        && one.isChangedInTurns()
        && UnitReader.isGlobal(one.name(), one.toPut().get());
  }

  /**
   * Replaces each on one machine after the other, by a rollout that goes on as soon as the unit is
   * active. Returns whether all have the new content.
   */
  boolean replace(List<UnitPreparation> units) throws CommandException, FleetException {
    boolean whole = true;
    for (UnitPreparation one : units) {
      Rollout begun = begin(one.name(), one.toPut().orElseThrow());
      output.line("Triggered global unit " + one.name() + " start");
      output.flush();
      // Without a rollout of its own, the one that is there is somebody else's, and over.
      whole &=
          begun == Rollout.NOTHING_TO_DO
              || waits.follow(new RolloutWords(one.name()), output.aside());
    }
    return whole;
  }

  private Rollout begin(String unit, UnitFile file) throws CommandException, FleetException {
    try {
      return client
          .operations()
          .startRollout(unit, UnitReader.rollout(file, 1, 0, null, List.of()));
    } catch (ApiException e) {
      if (!e.isNotInTurns()) {
        throw e;
      }
      throw CommandException.failed(
          "Error starting units: " + e.getMessage() + ", with --all-at-once");
    }
  }
}
