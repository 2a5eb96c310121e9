package fleet.fleetctl.command;

import fleet.core.state.DesiredState;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.apply.ApplyPlan;
import fleet.fleetctl.apply.ApplyStep;
import fleet.fleetctl.apply.ApplyStep.Kind;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.UnitPutClient;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.ActiveGoal;
import fleet.fleetctl.wait.Goal;
import fleet.fleetctl.wait.InactiveGoal;
import fleet.fleetctl.wait.LoadedGoal;
import fleet.fleetctl.wait.StoppedGoal;
import fleet.fleetctl.wait.WaitTarget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Carries an {@link ApplyPlan} out, stage by stage. Ends with the first stage that fails: units
 * that a later stage would stop may still be needed. For one use.
 */
final class ApplyRun {

  /** More names would push the reason off the screen. */
  private static final int NAMED = 10;

  private final FleetClient client;
  private final Output output;
  private final Waits waits;
  private final RolloutOptions limits;
  private final ApplyPlan plan;
  private final ApplySet set;
  private final Set<String> left = new LinkedHashSet<>();

  /** Units that are not pruned, because somebody has taken them out of the set. */
  private final Set<String> kept = new HashSet<>();

  /** Whether changes go on in the cluster that this command does not wait for. */
  private boolean goesOn;

  private interface Stage {
    /** Does it, and returns whether all went well. */
    boolean run(List<ApplyStep> steps) throws FleetException;
  }

  ApplyRun(
      FleetClient client, Output output, WaitOptions wait, RolloutOptions limits, ApplyPlan plan) {
    this.client = client;
    this.output = output;
    this.waits = new Waits(client, output, wait);
    this.limits = limits;
    this.plan = plan;
    this.set = new ApplySet(client, output, waits);
    plan.changes().forEach(step -> left.add(step.name().value()));
    plan.pruned().forEach(unit -> left.add(unit.name()));
  }

  /** Does all of it; returns the exit code. */
  int run() throws FleetException {
    boolean well =
        set.change(plan.changingSet())
            && stage(plan.of(Kind.ANNOTATE), this::annotate)
            && stage(plan.first(), this::bring)
            && stage(plan.rollouts(), this::rollOut)
            && stage(plan.of(Kind.FOLLOW), steps -> true)
            && (goesOn
                || (stage(plan.afterRollouts(), this::bring)
                    && stage(plan.of(Kind.REPLACE), this::replace)))
            && set.keeps(plan.changes())
            && (goesOn || (plan.of(Kind.LOWER).isEmpty() && plan.pruned().isEmpty()) || areWell())
            && (goesOn || stage(plan.of(Kind.LOWER), this::lower))
            && (goesOn || set.prune(plan.pruned(), left::remove, this::keep));
    if (!left.isEmpty()) {
      tellLeft(well);
    }
    tellDone();
    if (!well) {
      return ExitCode.FAILED;
    }
    return left.isEmpty() ? ExitCode.OK : ExitCode.CHANGES;
  }

  private boolean stage(List<ApplyStep> steps, Stage stage) throws FleetException {
    boolean well = steps.isEmpty() || stage.run(steps);
    if (well) {
      steps.forEach(step -> left.remove(step.name().value()));
    }
    return well;
  }

  private void keep(String unit) {
    left.remove(unit);
    kept.add(unit);
  }

  private void tellDone() {
    long applied =
        plan.changes().stream().filter(step -> !left.contains(step.name().value())).count();
    long destroyed =
        plan.pruned().stream()
            .map(UnitEntity::name)
            .filter(unit -> !left.contains(unit) && !kept.contains(unit))
            .count();
    output.line(
        "Applied "
            + ApplyText.units((int) applied)
            + (plan.pruned().isEmpty() ? "" : ", destroyed " + destroyed)
            + ".");
  }

  private void tellLeft(boolean well) {
    output.problem(
        "%s: %s. %s"
            .formatted(
                well ? "Not changed yet" : "Not applied",
                ApplyText.names(NAMED, left),
                well
                    ? "They wait for the others: run the command again."
                    : "Fix the cause and run the command again."));
  }

  // ---- stages

  private boolean annotate(List<ApplyStep> steps) {
    List<ApplyStep> put = set.annotate(steps);
    put.stream()
        .filter(ApplyStep::hasOtherComments)
        .forEach(step ->
            output.line(
                "Unit " + step.name() + " has the comments of its file, and goes on as it is"));
    return put.size() == steps.size();
  }

  /** Creates units, and gives others their content and a higher state. */
  private boolean bring(List<ApplyStep> steps) {
    List<ApplyStep> put = put(steps);
    List<WaitTarget> targets = new ArrayList<>();
    for (ApplyStep step : put) {
      String name = step.name().value();
      switch (step.state()) {
        case LAUNCHED -> targets.addAll(target(step, new ActiveGoal(), "launched"));
        case LOADED -> targets.addAll(target(step, new LoadedGoal(), "loaded"));
        case INACTIVE -> output.line("Unit " + name + " inactive");
      }
    }
    output.flush();
    return await(targets) && put.size() == steps.size();
  }

  private List<WaitTarget> target(ApplyStep step, Goal goal, String done) {
    String name = step.name().value();
    return step.isGlobal() && !waits.isOff()
        ? waits.everywhere(name, goal, done)
        : List.of(new WaitTarget(name, goal));
  }

  private boolean await(List<WaitTarget> targets) {
    goesOn |= waits.isOff() && !targets.isEmpty();
    return waits.all(targets, "Triggered unit %s");
  }

  /** Returns the steps that were not refused. */
  private List<ApplyStep> put(List<ApplyStep> steps) {
    return new UnitPutClient(client)
        .put(
            steps,
            ApplyStep::request,
            (step, why) -> output.problem("Error applying " + step.name() + ": " + why));
  }

  private boolean rollOut(List<ApplyStep> steps) throws FleetException {
    for (ApplyStep step : steps) {
      if (!isRolledOut(step)) {
        return false;
      }
      goesOn |= waits.isOff();
    }
    return true;
  }

  private boolean isRolledOut(ApplyStep step) throws FleetException {
    var wanted = limits.request(step.wanted().file(), null, plan.except(step.name()));
    try {
      return new FollowedRollout(client, output, waits).run(step.name().value(), wanted);
    } catch (ApiException e) {
      if (!e.isNotInTurns() || step.name().isTemplate()) {
        throw e;
      }
      output.line("Unit " + step.name() + " is replaced everywhere at once: " + e.getMessage());
      return bring(List.of(step.asWhole()));
    }
  }

  /** One after the other: the other instances of a template run meanwhile. */
  private boolean replace(List<ApplyStep> steps) {
    if (waits.isOff()) {
      return bring(steps);
    }
    for (ApplyStep step : steps) {
      if (!bring(List.of(step))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether all units of the files that are to run do so, also those that were so before: an
   * earlier run may have been interrupted.
   */
  private boolean areWell() throws FleetException {
    List<ApplyStep> launched = plan.launched();
    Set<String> active = new HashSet<>();
    for (StateEntity state :
        client.reportsOf(launched.stream().map(step -> step.name().value()).toList()).states()) {
      if ("active".equals(state.systemdActiveState())) {
        active.add(state.name());
      }
    }
    List<WaitTarget> targets = new ArrayList<>();
    for (ApplyStep step : launched) {
      if (!active.contains(step.name().value())) {
        targets.addAll(target(step, new ActiveGoal(), "launched"));
      }
    }
    if (waits.isOff()) {
      goesOn = !targets.isEmpty();
      return true;
    }
    return targets.isEmpty() || waits.await(targets).size() == targets.size();
  }

  private boolean lower(List<ApplyStep> steps) throws FleetException {
    List<WaitTarget> targets = new ArrayList<>();
    for (ApplyStep step : steps) {
      targets.addAll(target(step, lowered(step), step.state().text()));
    }
    List<String> put = put(steps).stream().map(step -> step.name().value()).toList();
    targets.removeIf(target -> !put.contains(target.unit()));
    return waits.all(targets, "Triggered unit %s stop") && put.size() == steps.size();
  }

  private Goal lowered(ApplyStep step) throws FleetException {
    if (step.state() == DesiredState.INACTIVE) {
      return new InactiveGoal();
    }
    return step.content()
        ? new LoadedGoal()
        : new StoppedGoal(waits.invocations(step.name().value()));
  }
}
