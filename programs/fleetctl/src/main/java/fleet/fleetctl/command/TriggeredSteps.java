package fleet.fleetctl.command;

import fleet.core.state.DesiredState;
import fleet.core.unit.Dependencies;
import fleet.core.unit.UnitName;
import fleet.fleetctl.apply.ApplyPlan;
import fleet.fleetctl.apply.ApplyStep;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitArgument;
import fleet.fleetctl.unit.UnitCreation;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.unit.UnitProblemException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Keeps timers, sockets and paths of an apply on the machine of the unit that they start, as {@link
 * TriggeredUnits} does for start. Units that the files do not name are left alone.
 */
record TriggeredSteps(UnitCreation creation, Output output) {

  /** The same plan, with the requirements that keep units together. */
  ApplyPlan keepTogether(ApplyPlan plan, List<UnitArgument> arguments) throws UnitProblemException {
    Map<String, ApplyStep> placed =
        plan.steps().stream()
            .filter(step -> step.state() != DesiredState.INACTIVE)
            .collect(Collectors.toMap(step -> step.name().value(), step -> step));
    List<UnitArgument> named =
        arguments.stream()
            .filter(argument -> startsOneOf(placed, argument.name()))
            .map(UnitArgument::asNamed)
            .toList();
    TriggeredUnits.Prepared all =
        new TriggeredUnits(names -> Map.of(), creation, output, false)
            .add(named, placed.values().stream().map(TriggeredSteps::preparation).toList());
    Map<String, List<String>> asked = new HashMap<>();
    all.named().forEach(unit -> asked.put(unit.name(), unit.asked()));
    all.tell(output);
    return new ApplyPlan(
        plan.steps().stream()
            .map(step ->
                step.getsPlace()
                    ? step.withRequire(asked.getOrDefault(step.name().value(), List.of()))
                    : step)
            .toList(),
        plan.pruned(),
        plan.left());
  }

  /** Whether it is among the steps, and so is what it starts, if it starts something. */
  private static boolean startsOneOf(Map<String, ApplyStep> steps, String name) {
    ApplyStep step = steps.get(name);
    if (step == null) {
      return false;
    }
    Optional<UnitName> started = Dependencies.triggered(step.name(), step.wanted().file());
    return started.isEmpty() || steps.containsKey(started.get().value());
  }

  private static UnitPreparation preparation(ApplyStep step) {
    return new UnitPreparation(
        step.name().value(), step.existing(), Optional.of(step.wanted().file()));
  }
}
