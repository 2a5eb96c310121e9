package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.apply.ApplyPlan;
import fleet.fleetctl.apply.ApplyStep;
import fleet.fleetctl.client.ApiException;
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

/**
 * The set of an {@code apply}: units come into it or leave theirs, and those without a file are
 * destroyed.
 */
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

  /** Changes the sets of units, and nothing else of them; returns whether all went well. */
  boolean change(List<ApplyStep> steps) {
    return annotate(steps).size() == steps.size();
  }

  /** Gives units the comments and set of their steps; returns the steps that succeeded. */
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
    return client.outdated("is too old to keep sets");
  }

  /** Whether units are in the set that they were to come into: an older fleetd knows no sets. */
  boolean keeps(List<ApplyStep> steps) throws FleetException {
    Map<String, String> sets =
        steps.stream()
            .filter(step -> !step.set().isEmpty() && !step.leavesSet())
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
   * @param kept takes the name of each that somebody has taken out of the set meanwhile
   * @return whether all others are gone
   */
  boolean prune(List<UnitEntity> units, Consumer<String> gone, Consumer<String> kept) {
    Map<Boolean, List<UnitEntity>> templates =
        units.stream().collect(Collectors.partitioningBy(ApplyPlan::isTemplate));
    return destroy(templates.getOrDefault(false, List.of()), gone, kept)
        && destroy(templates.getOrDefault(true, List.of()), gone, kept);
  }

  /**
   * The result of a request to destroy a unit.
   *
   * @param keptBy why it stays, if it has left the set; else empty
   * @param problem empty if it is destroyed, or was so already
   */
  private record Asked(UnitEntity unit, String keptBy, String problem) {}

  private boolean destroy(List<UnitEntity> units, Consumer<String> gone, Consumer<String> kept) {
    List<WaitTarget> targets = new ArrayList<>();
    boolean well = true;
    for (Asked asked : Parallel.map(units, this::ask)) {
      UnitEntity unit = asked.unit();
      if (!asked.keptBy().isEmpty()) {
        output.line("Unit " + unit.name() + " is not destroyed: " + asked.keptBy());
        kept.accept(unit.name());
      } else if (asked.problem().isEmpty()) {
        targets.add(new WaitTarget(unit.name(), GoneGoal.of(unit)));
      } else {
        output.problem("Unit " + unit.name() + " is not destroyed: " + asked.problem());
        well = false;
      }
    }
    List<String> reached = waits.isOff() ? printDestroyed(targets) : waits.await(targets);
    reached.forEach(gone);
    return well && reached.size() == targets.size();
  }

  private List<String> printDestroyed(List<WaitTarget> targets) {
    List<String> names = targets.stream().map(WaitTarget::unit).toList();
    names.forEach(name -> output.line("Destroyed " + name));
    return names;
  }

  private Asked ask(UnitEntity unit) {
    try {
      boolean _ = client.destroyInSet(unit);
      return new Asked(unit, "", "");
    } catch (ApiException e) {
      return new Asked(unit, e.isConflict() ? otherSet(unit) : "", String.valueOf(e.getMessage()));
    } catch (FleetException e) {
      return new Asked(unit, "", String.valueOf(e.getMessage()));
    }
  }

  /** The set that a unit is in now; empty if it is still in its own, or cannot be read. */
  private String otherSet(UnitEntity unit) {
    try {
      return client
          .unit(unit.name())
          .map(UnitEntity::set)
          .filter(now -> !now.equals(unit.set()))
          .map(now -> now.isEmpty() ? "it is in no set now" : "it is in the set " + now + " now")
          .orElse("");
    } catch (FleetException e) {
      return "";
    }
  }
}
