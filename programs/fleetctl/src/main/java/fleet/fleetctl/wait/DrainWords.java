package fleet.fleetctl.wait;

import fleet.entities.OperationEntity;
import fleet.entities.StepEntity;
import fleet.fleetctl.output.Output;
import java.util.List;
import java.util.function.UnaryOperator;

/** The words for the drain of a machine. */
public final class DrainWords extends OperationWords {

  /**
   * @param machine its id
   * @param name of it, for people
   */
  public DrainWords(String machine, String name) {
    super("drain-" + machine, name, true);
  }

  @Override
  String gone() {
    return "The drain of machine " + name + " was ended: somebody uncordoned it.";
  }

  @Override
  String goesOn(boolean back) {
    return "The drain of machine %s continues: run \"fleetctl drain\" again to follow it, or end it with"
            .formatted(name)
        + " \"fleetctl uncordon\".";
  }

  /** A drain continues for units that stay, but the command does not wait for these. */
  @Override
  boolean rests(String stage, boolean done) {
    return done;
  }

  @Override
  boolean end(
      Output output, OperationEntity last, List<StepEntity> steps, UnaryOperator<String> names) {
    for (StepEntity step : having("exempt", steps)) {
      output.line("Unit " + step.unit() + " stays: " + names.apply(step.detail()));
    }
    List<StepEntity> stay = having("stays", steps);
    if (stay.isEmpty()) {
      output.line("Machine " + name + " is drained.");
      return true;
    }
    for (StepEntity step : stay) {
      output.problem("Unit " + step.unit() + " stays: " + names.apply(step.detail()));
    }
    output.problem(
        "Machine %s is not drained: %s. \"fleetctl uncordon\" ends the drain."
            .formatted(
                name,
                stay.size() == 1
                    ? "1 unit stays; it leaves as soon as there is a place for it"
                    : stay.size()
                        + " units stay; they leave as soon as there are places for them"));
    return false;
  }
}
