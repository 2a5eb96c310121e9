package fleet.engine;

import fleet.cluster.OperationProgress;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.core.machine.Drain;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.schedule.TargetState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.scheduler.Decision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which units may leave a machine that is drained, and which wait. Changes nothing: the leader acts
 * on it, and the progress of a drain shows the same. Owned by the state thread.
 */
final class Drains {

  private final ClusterState cluster;
  private final SchedulerState schedulerState;
  private final DisruptionBudget budget;

  Drains(LiveState state) {
    this.cluster = state.cluster();
    this.schedulerState = state.schedulerState();
    this.budget = new DisruptionBudget(new UnavailableUnits(state));
  }

  /** The next step for a unit that leaves its machine although its rules would let it stay. */
  sealed interface MoveDecision {

    /** The ids of machines that could take it if they bid for it. */
    default Set<String> mayBid() {
      return Set.of();
    }

    /** The decision as people see it. */
    default Step step(UnitName unit, String from) {
      return switch (this) {
        case Goes goes -> new Step(unit, Standing.NEXT, from, goes.place().machine(), "");
        case Waits waits -> new Step(unit, Standing.WAITS, from, "", waits.why());
        case Stays stays -> new Step(unit, Standing.STAYS, from, "", stays.why());
        case Ended _ ->
            new Step(
                unit, Standing.EXEMPT, from, "", "it has ended, and elsewhere it would run again");
      };
    }

    /** It leaves now. */
    record Goes(Decision.Placed place) implements MoveDecision {}

    /**
     * It leaves once a change that is under way has happened.
     *
     * @param onUnits what happens to these may bring it on
     */
    record Waits(String why, Set<String> onUnits, Set<String> mayBid) implements MoveDecision {

      Waits(String why, Set<String> onUnits) {
        this(why, onUnits, Set.of());
      }
    }

    /**
     * It stays until something changes.
     *
     * @param onUnits what happens to these may help
     * @param forRoom whether any unit that comes to a machine or goes from it may help
     */
    record Stays(String why, Set<String> onUnits, boolean forRoom, Set<String> mayBid)
        implements MoveDecision {

      Stays(String why, Set<String> onUnits, boolean forRoom) {
        this(why, onUnits, forRoom, Set.of());
      }
    }

    /** It has run to its end and stays: elsewhere it would run a second time. */
    record Ended() implements MoveDecision {}
  }

  // ---- which may leave

  /** Why a unit is to go elsewhere though it may stay where it is; empty if it is not. */
  Optional<String> why(ScheduledUnit placed) {
    return cluster
        .machines()
        .drain(placed.machine())
        .map(drain -> "machine %s is drained, as %s asked".formatted(placed.machine(), drain.by()));
  }

  MoveDecision moveDecision(KnownUnit known, ScheduledUnit placed) {
    String machine = placed.machine();
    UnitState state = cluster.reports().state(known.unit().name(), machine);
    if (!cluster.isThere(machine)) {
      return new MoveDecision.Waits("machine " + machine + " is not there", Set.of());
    }
    if (placed.record().target() == TargetState.LAUNCHED && state == null) {
      return new MoveDecision.Waits("machine " + machine + " has not said yet how it is", Set.of());
    }
    if (state != null && UnavailableUnits.hasEnded(placed, state)) {
      return new MoveDecision.Ended();
    }
    if (cluster.machines().drain(machine).filter(Drain::paused).isPresent()) {
      return new MoveDecision.Waits("the drain is paused", Set.of());
    }
    return switch (schedulerState.chooseAsIfUnplaced(known)) {
      case Decision.Placed place ->
          held(known, placed, state).orElseGet(() -> new MoveDecision.Goes(place));
      case Decision.Unplaceable unplaceable -> {
        Set<String> onUnits = new HashSet<>(unplaceable.unitsInTheWay());
        onUnits.addAll(known.requirements().machineOf());
        yield unplaceable.awaitsBids()
            ? new MoveDecision.Waits(unplaceable.text(), onUnits, unplaceable.mayBid())
            : new MoveDecision.Stays(
                unplaceable.text(), onUnits, unplaceable.waitsForRoom(), unplaceable.mayBid());
      }
    };
  }

  private Optional<MoveDecision> held(
      KnownUnit known, ScheduledUnit placed, @Nullable UnitState state) {
    return cluster
        .machines()
        .drain(placed.machine())
        .flatMap(drain -> budget.held(known, placed, state, drain.maxUnavailable()));
  }

  // ---- how it goes

  /** Empty if the machine is not drained. */
  Optional<OperationProgress> progress(String machine) {
    return cluster.machines().drain(machine).map(drain -> progress(machine, drain));
  }

  /** Whether a machine is drained: units that are still there have ended, or run everywhere. */
  boolean isDone(String machine) {
    return cluster.machines().drain(machine).isPresent()
        && cluster.schedule().unitsOn(machine).stream().allMatch(unit -> isExempt(unit, machine));
  }

  /** The same as a step that is exempt, without the search for another machine. */
  private boolean isExempt(UnitName unit, String machine) {
    UnitState state = cluster.reports().state(unit, machine);
    return state != null
        && cluster.fault(unit).isEmpty()
        && cluster.units().of(unit).filter(KnownUnit::wantsPlace).isPresent()
        && cluster
            .schedule()
            .of(unit)
            .filter(placed -> placed.record().target() != TargetState.STOPPING)
            .filter(placed -> UnavailableUnits.hasEnded(placed, state))
            .isPresent();
  }

  private OperationProgress progress(String machine, Drain drain) {
    List<Step> steps = steps(machine);
    Operation operation = drain.of(machine);
    boolean done = steps.stream().allMatch(step -> step.standing() == Standing.EXEMPT);
    return new OperationProgress(done ? operation.withStage(Stage.DONE, "") : operation, "", steps);
  }

  private List<Step> steps(String machine) {
    List<Step> steps = new ArrayList<>();
    for (UnitName unit : new TreeSet<>(cluster.schedule().unitsOn(machine))) {
      cluster.schedule().of(unit).ifPresent(placed -> steps.add(step(unit, placed)));
    }
    for (UnitName global : schedulerState.globalsOn(machine)) {
      steps.add(
          new Step(global, Standing.EXEMPT, machine, "", "it runs on every machine that fits"));
    }
    return steps;
  }

  private Step step(UnitName unit, ScheduledUnit placed) {
    String machine = placed.machine();
    Optional<String> fault = cluster.fault(unit);
    if (fault.isPresent()) {
      return new Step(unit, Standing.STAYS, machine, "", fault.get());
    }
    if (placed.record().target() == TargetState.STOPPING) {
      return new Step(
          unit, Standing.LEAVING, machine, placed.record().next(), placed.record().why());
    }
    return cluster
        .units()
        .of(unit)
        .filter(KnownUnit::wantsPlace)
        .map(known -> moveDecision(known, placed).step(unit, machine))
        .orElseGet(() -> new Step(unit, Standing.NEXT, machine, "", ""));
  }
}
