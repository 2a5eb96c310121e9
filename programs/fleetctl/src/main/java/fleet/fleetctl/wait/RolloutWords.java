package fleet.fleetctl.wait;

import fleet.entities.OperationEntity;
import fleet.entities.StepEntity;
import fleet.fleetctl.output.Output;
import java.util.List;
import java.util.function.UnaryOperator;

/** The words for a rollout. */
public final class RolloutWords extends OperationWords {

  /**
   * @param name of the template or unit
   */
  public RolloutWords(String name) {
    super("rollout-" + name, name, false);
  }

  @Override
  String gone() {
    return "There is no rollout of " + name + " any more: all of its units are gone.";
  }

  @Override
  String turned(String why) {
    return "Rollout of " + name + " is being reverted: " + why;
  }

  @Override
  String goesOn(boolean back) {
    return "The rollout of "
        + name
        + (back
            ? " is still being reverted: see \"fleetctl rollout status " + name + "\"."
            : " continues: run the command again to follow it; \"fleetctl rollout pause\" pauses"
                + " it, \"fleetctl rollout undo\" reverts it.");
  }

  /** The leader pauses a rollout that has canaries once they are proven. */
  @Override
  boolean awaitsPeople(OperationEntity operation) {
    return Boolean.TRUE.equals(operation.awaitsPromotion());
  }

  @Override
  boolean end(
      Output output, OperationEntity last, List<StepEntity> steps, UnaryOperator<String> names) {
    for (StepEntity step : having("exempt", steps)) {
      output.line("Unit " + step.unit() + " is left alone: " + step.detail());
    }
    return switch (last.stage()) {
      case "forward" -> {
        output.line(
            ("Rollout of %1$s is paused, as its canaries are healthy. To go on:"
                    + " fleetctl rollout promote %1$s; to revert it: fleetctl rollout undo %1$s")
                .formatted(name));
        yield true;
      }
      case "done" -> {
        output.line("Rollout of " + name + " is done.");
        yield true;
      }
      case "undone" -> {
        output.problem(
            "Rollout of " + name + " was reverted: all units have their former version.");
        yield false;
      }
      default -> {
        output.problem(
            "Rollout of %s was cancelled: %s. %s"
                .formatted(
                    name,
                    names.apply(last.reason()),
                    steps.stream().allMatch(step -> step.to().isEmpty())
                        ? "Units keep their present version."
                        : "All machines get what the unit has now."));
        yield false;
      }
    };
  }
}
