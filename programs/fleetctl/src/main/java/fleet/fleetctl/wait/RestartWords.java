package fleet.fleetctl.wait;

import fleet.entities.OperationEntity;
import fleet.entities.StepEntity;
import fleet.fleetctl.output.Output;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The words for the restart of a global unit on one machine after the other. */
public final class RestartWords extends OperationWords {

  /** More names would push the reason off the screen. */
  private static final int NAMED = 10;

  /**
   * @param name of the global unit
   */
  public RestartWords(String name) {
    super("restart-" + name, name, false);
  }

  @Override
  String gone() {
    return "The restart of " + name + " no longer exists: the unit is gone.";
  }

  @Override
  String goesOn(boolean back) {
    return "The restart of %s continues: run the command again to follow it; to end it: fleetctl operations cancel %s"
        .formatted(name, id());
  }

  @Override
  String changed(boolean back) {
    return "was restarted and ";
  }

  /** The leader pauses it, with the reason, if the unit is not healthy on a machine. */
  @Override
  boolean awaitsPeople(OperationEntity operation) {
    return Boolean.TRUE.equals(operation.paused()) && !operation.reason().isEmpty();
  }

  @Override
  boolean end(
      Output output, OperationEntity last, List<StepEntity> steps, UnaryOperator<String> names) {
    String why = names.apply(last.reason());
    return switch (last.stage()) {
      case "forward" -> {
        output.problem(
            "Restart of %1$s is paused: %2$s (see: fleetctl journal %1$s)".formatted(name, why));
        tellRest(output, steps, names);
        output.problem(
            "To go on with the other machines: fleetctl operations resume %1$s; to leave them as they are: fleetctl operations cancel %1$s"
                .formatted(id()));
        yield false;
      }
      case "done" -> isDone(output, having("failed", steps), names);
      default -> {
        output.problem("Restart of " + name + " was cancelled: " + why);
        tellRest(output, steps, names);
        yield false;
      }
    };
  }

  /** Somebody may have resumed it after a failure. */
  private boolean isDone(Output output, List<StepEntity> failed, UnaryOperator<String> names) {
    if (failed.isEmpty()) {
      output.line("Restart of " + name + " is done.");
      return true;
    }
    output.problem(
        "Restart of %s is done, and failed on: %s".formatted(name, machines(failed, names)));
    return false;
  }

  private static void tellRest(Output output, List<StepEntity> steps, UnaryOperator<String> names) {
    List<StepEntity> rest = having("waits", steps);
    if (!rest.isEmpty()) {
      output.problem("Not restarted on: " + machines(rest, names));
    }
  }

  private static String machines(List<StepEntity> steps, UnaryOperator<String> names) {
    String named =
        steps.stream()
            .limit(NAMED)
            .map(step -> names.apply("machine " + step.to()))
            .collect(Collectors.joining(", "));
    return steps.size() > NAMED ? named + " and " + (steps.size() - NAMED) + " more" : named;
  }
}
