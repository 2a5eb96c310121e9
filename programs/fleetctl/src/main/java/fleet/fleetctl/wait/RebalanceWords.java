package fleet.fleetctl.wait;

import fleet.entities.OperationEntity;
import fleet.entities.StepEntity;
import fleet.fleetctl.output.Output;
import java.util.List;
import java.util.function.UnaryOperator;

/** The words for a rebalance. */
public final class RebalanceWords extends OperationWords {

  public RebalanceWords() {
    super("rebalance", "", true);
  }

  @Override
  String gone() {
    return "The rebalance no longer exists.";
  }

  @Override
  String goesOn(boolean back) {
    return "The rebalance continues: run \"fleetctl rebalance\" again to follow it, or end it with"
        + " \"fleetctl rebalance --stop\".";
  }

  @Override
  boolean end(
      Output output, OperationEntity last, List<StepEntity> steps, UnaryOperator<String> names) {
    List<StepEntity> stay = having("stays", steps);
    for (StepEntity step : stay) {
      output.problem("Unit " + step.unit() + " stayed: " + names.apply(step.detail()));
    }
    String now = last.reason();
    if (stay.isEmpty()) {
      output.line("The rebalance is over: " + now + ".");
      return true;
    }
    output.problem(
        "The rebalance is over, and %s not moved: %s."
            .formatted(stay.size() == 1 ? "1 unit has" : stay.size() + " units have", now));
    return false;
  }
}
