package fleet.fleetctl.command;

import fleet.entities.RolloutRequestEntity;
import fleet.entities.StepEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.OperationMonitor;
import fleet.fleetctl.wait.RolloutWords;
import java.util.List;

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
  boolean run(String name, RolloutRequestEntity wanted) throws CommandException, FleetException {
    switch (client.operations().startRollout(name, wanted)) {
      case STARTED -> {
        expectLeftOut(name, wanted.except());
        output.line("Rollout of " + name + " has begun.");
      }
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

  /** An older fleetd takes all instances, without a word. */
  private void expectLeftOut(String name, List<String> except)
      throws CommandException, FleetException {
    if (except.isEmpty()) {
      return;
    }
    String id = new RolloutWords(name).id();
    List<String> taken =
        client.operations().find(id).stream()
            .flatMap(operation -> operation.steps().stream())
            .map(StepEntity::unit)
            .filter(except::contains)
            .toList();
    if (!taken.isEmpty()) {
      boolean _ = client.operations().change(id, "revert");
      throw CommandException.failed(
          "Error: the rollout of %s is reverted: it would change %s as well, and fleetd is too old to leave that out"
              .formatted(name, taken.getFirst()));
    }
  }
}
