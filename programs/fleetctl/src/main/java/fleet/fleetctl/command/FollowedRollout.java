package fleet.fleetctl.command;

import fleet.entities.RolloutRequestEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.OperationMonitor;
import fleet.fleetctl.wait.RolloutWords;

/** Begins rollouts, and follows each to its end unless told not to. */
final class FollowedRollout {

  private final FleetClient client;
  private final Output output;
  private final WaitOptions wait;

  FollowedRollout(FleetClient client, Output output, WaitOptions wait) {
    this.client = client;
    this.output = output;
    this.wait = wait;
  }

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
    return wait.noBlock
        || new OperationMonitor(
                client, output, new RolloutWords(name), false, true, wait.blockAttempts)
            .follow();
  }
}
