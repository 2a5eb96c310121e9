package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.apply.ApplyPlan;
import fleet.fleetctl.apply.ApplyStep;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.Parallel;
import fleet.fleetctl.client.UnitPutClient;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.GoneGoal;
import fleet.fleetctl.wait.WaitTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The set of an {@code apply}: units come into it, and those without a file are destroyed. */
final class ApplySet {

  /** The words of a fleetd that does not know sets. */
  private static final String LACKS_STATE = "must provide DesiredState";

  private final FleetClient client;
  private final Output output;
  private final Waits waits;

  ApplySet(FleetClient client, Output output, Waits waits) {
    this.client = client;
    this.output = output;
    this.waits = waits;
  }

  /** Puts units into the set; nothing else of them changes. Returns whether all went well. */
  boolean join(List<ApplyStep> steps) {
    return annotate(steps).size() == steps.size();
  }

  /** Gives units the comments of their files and puts them into the set; returns which. */
  List<ApplyStep> annotate(List<ApplyStep> steps) {
    List<String> problems =
        new UnitPutClient(client).put(steps.stream().map(ApplyStep::annotation).toList());
    List<ApplyStep> done = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      String problem = problems.get(i);
      if (problem.isEmpty()) {
        done.add(steps.get(i));
      } else {
        String told = problem.contains(LACKS_STATE) ? tooOld() : problem;
        output.problem("Error applying " + steps.get(i).name() + ": " + told);
      }
    }
    return done;
  }

  private String tooOld() {
    return "fleetd at " + client.endpoint() + " is too old to keep sets: upgrade it";
  }

  /** Whether the units that came into the set are in it: an older fleetd does not know it. */
  boolean keeps(List<ApplyStep> steps) throws FleetException {
    Map<String, String> sets =
        steps.stream()
            .filter(step -> !step.set().isEmpty())
            .collect(Collectors.toMap(step -> step.name().value(), ApplyStep::set));
    if (sets.isEmpty()) {
      return true;
    }
    boolean kept =
        client.units(sets.keySet()).values().stream().noneMatch(unit -> unit.set().isEmpty());
    if (!kept) {
      output.problem("Error: " + tooOld());
    }
    return kept;
  }

  /**
   * Destroys units that are still in the set, first those that may run, then templates.
   *
   * @param gone takes the name of each that is gone
   * @return whether all are gone
   */
  boolean prune(List<UnitEntity> units, Consumer<String> gone) {
    Map<Boolean, List<UnitEntity>> templates =
        units.stream().collect(Collectors.partitioningBy(ApplyPlan::isTemplate));
    return destroy(templates.getOrDefault(false, List.of()), gone)
        && destroy(templates.getOrDefault(true, List.of()), gone);
  }

  private boolean destroy(List<UnitEntity> units, Consumer<String> gone) {
    List<String> problems = Parallel.map(units, this::problem);
    List<WaitTarget> targets = new ArrayList<>();
    for (int i = 0; i < units.size(); i++) {
      UnitEntity unit = units.get(i);
      if (problems.get(i).isEmpty()) {
        targets.add(new WaitTarget(unit.name(), new GoneGoal(unit.incarnation(), unit.keptOn())));
      } else {
        output.problem("Unit " + unit.name() + " is not destroyed: " + problems.get(i));
      }
    }
    List<String> reached = waits.isOff() ? told(targets) : waits.await(targets);
    reached.forEach(gone);
    return reached.size() == units.size();
  }

  private List<String> told(List<WaitTarget> targets) {
    List<String> names = targets.stream().map(WaitTarget::unit).toList();
    names.forEach(name -> output.line("Destroyed " + name));
    return names;
  }

  /** Empty if the unit is destroyed, or was so already. */
  private String problem(UnitEntity unit) {
    try {
      boolean _ = client.destroyInSet(unit);
      return "";
    } catch (FleetException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
