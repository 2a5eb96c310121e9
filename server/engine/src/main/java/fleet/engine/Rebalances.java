package fleet.engine;

import fleet.cluster.OperationProgress;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.core.operation.Move;
import fleet.core.operation.Operation;
import fleet.core.operation.OperationId;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.Drains.MoveDecision;
import fleet.engine.decide.OperationStep;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.registry.records.RebalanceRecord;
import fleet.scheduler.Decision;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which units a rebalance may move, which wait, and where those go that have left. Changes nothing:
 * the leader acts on it, and the progress of a rebalance shows the same. Owned by the state thread.
 */
final class Rebalances {

  private final ClusterState cluster;
  private final SchedulerState schedulerState;
  private final DisruptionBudget budget;

  Rebalances(LiveState state) {
    this(
        state.cluster(), state.schedulerState(), new DisruptionBudget(new UnavailableUnits(state)));
  }

  private Rebalances(ClusterState cluster, SchedulerState schedulerState, DisruptionBudget budget) {
    this.cluster = cluster;
    this.schedulerState = schedulerState;
    this.budget = budget;
  }

  private Optional<Operation> current() {
    return cluster
        .operations()
        .of(OperationId.REBALANCE)
        .map(stored -> stored.record().operation());
  }

  private static String why(Operation rebalance) {
    return rebalance.by().isEmpty() ? "rebalance" : "rebalance, as " + rebalance.by() + " asked";
  }

  /** Why a unit is to move although it may stay; empty if it is not to move. */
  Optional<String> why(ScheduledUnit placed) {
    return cluster.operations().move(placed).isPresent()
        ? current().filter(Operation::goesOn).map(Rebalances::why)
        : Optional.empty();
  }

  // ---- which units may move

  /** Whether a unit has reached its target state on its machine, so that it may move. */
  boolean isMovable(UnitName unit) {
    return cluster.fault(unit).isEmpty()
        && cluster
            .units()
            .of(unit)
            .filter(
                known -> cluster.schedule().of(unit).filter(at -> isAtRest(known, at)).isPresent())
            .isPresent();
  }

  private boolean isAtRest(KnownUnit known, ScheduledUnit placed) {
    UnitState state = cluster.reports().state(known.unit().name(), placed.machine());
    return cluster.isThere(placed.machine())
        && placed.record().target() == known.target()
        && placed.record().incarnation().equals(known.unit().incarnation())
        && placed.record().restartCounter() == known.unit().restartCounter()
        && placed.record().require().equals(known.unit().require())
        && state != null
        && doesAsTold(placed, state)
        && schedulerState.unfit(known, placed.machine()).isEmpty();
  }

  private static boolean doesAsTold(ScheduledUnit placed, UnitState state) {
    return placed.record().target() == TargetState.LAUNCHED
        ? UnavailableUnits.isOfLastStart(placed, state)
            && state.systemd().isActive()
            && !state.systemd().isChanging()
        : state.performed() == DesiredState.LOADED
            && state.incarnation().equals(placed.record().incarnation());
  }

  // ---- which may leave

  /** The next step for a unit that {@link #why} says is to go elsewhere. */
  MoveDecision moveDecision(KnownUnit known, ScheduledUnit placed) {
    Optional<Move> move = cluster.operations().move(placed);
    return move.isPresent() && current().isPresent()
        ? moveDecision(known, placed, move.get(), current().get())
        : new MoveDecision.Stays("no rebalance moves it", Set.of(), false);
  }

  private MoveDecision moveDecision(
      KnownUnit known, ScheduledUnit placed, Move move, Operation rebalance) {
    String machine = placed.machine();
    UnitState state = cluster.reports().state(known.unit().name(), machine);
    if (!cluster.isThere(machine)) {
      return stays("machine " + machine + " is not there");
    }
    if (placed.record().target() == TargetState.LAUNCHED && state == null) {
      return new MoveDecision.Waits("machine " + machine + " has not said yet how it is", Set.of());
    }
    if (state != null && UnavailableUnits.hasEnded(placed, state)) {
      return new MoveDecision.Ended();
    }
    if (state != null && state.systemd().active().equals("failed")) {
      return stays("it is failed on machine " + machine);
    }
    if (rebalance.paused()) {
      return new MoveDecision.Waits("the rebalance is paused", Set.of());
    }
    Optional<String> obstacle = schedulerState.obstacle(known, move.to());
    if (obstacle.isPresent()) {
      return new MoveDecision.Stays(obstacle.get(), Set.of(), true);
    }
    return budget
        .held(known, placed, state, rebalance.maxUnavailable())
        .or(() ->
            schedulerState.chooseOnly(known, move.to(), why(rebalance)).map(MoveDecision.Goes::new))
        .orElseGet(() -> stays("it has no place on machine " + move.to()));
  }

  private static MoveDecision stays(String why) {
    return new MoveDecision.Stays(why, Set.of(), false);
  }

  /**
   * The target of a unit that left its machine for a rebalance, if that machine still admits it.
   */
  Optional<Decision> place(KnownUnit known, ScheduledUnit left) {
    return cluster
        .operations()
        .move(left)
        .filter(move -> move.to().equals(left.record().next()))
        .flatMap(move ->
            current().flatMap(goes -> schedulerState.chooseOnly(known, move.to(), why(goes))));
  }

  // ---- how it goes

  /** It ends once no unit of it is on its way, or about to be. */
  OperationStep next(RebalanceRecord record) {
    if (record.operation().stage().isOver()) {
      return new OperationStep.Wait(Optional.empty());
    }
    SortedMap<String, String> stay = new TreeMap<>();
    var now = new Rebalances(cluster, schedulerState, budget.ofNow());
    for (Move move : record.moves()) {
      Step step = now.of(move);
      if (step.standing().isOpen()) {
        return new OperationStep.Wait(Optional.empty());
      }
      if (step.standing() == Standing.STAYS) {
        stay.put(move.unit().value(), step.detail());
      }
    }
    int moves = record.moves().size();
    return new OperationStep.Write(
        record.ended(stay), "ended: moves made: %d of %d".formatted(moves - stay.size(), moves));
  }

  OperationProgress progress(RebalanceRecord record) {
    String details = "within " + record.within();
    Operation operation = record.operation();
    if (operation.stage().isOver()) {
      String now = "machines have " + schedulerState.evenness().text();
      return new OperationProgress(
          operation.withStage(operation.stage(), now),
          details,
          record.moves().stream().map(move -> was(move, record.stayed())).toList());
    }
    var now = new Rebalances(cluster, schedulerState, budget.ofNow());
    return new OperationProgress(operation, details, record.moves().stream().map(now::of).toList());
  }

  private static Step was(Move move, SortedMap<String, String> stayed) {
    String why = stayed.get(move.unit().value());
    return why == null ? step(move, Standing.DONE, "") : step(move, Standing.STAYS, why);
  }

  private static Step step(Move move, Standing standing, String detail) {
    return new Step(move.unit(), standing, move.from(), move.to(), detail);
  }

  /** The progress of one unit of a rebalance that has not ended. */
  private Step of(Move move) {
    Optional<ScheduledUnit> there =
        cluster.schedule().of(move.unit()).filter(placed -> placed.machine().equals(move.from()));
    if (there.isEmpty()) {
      return step(move, Standing.DONE, "");
    }
    ScheduledUnit placed = there.get();
    Optional<String> fault = cluster.fault(move.unit());
    if (fault.isPresent()) {
      return step(move, Standing.STAYS, fault.get());
    }
    if (placed.record().target() == TargetState.STOPPING) {
      return step(move, Standing.LEAVING, placed.record().why());
    }
    Optional<String> other = whyNotByThis(placed);
    if (other.isPresent()) {
      return step(move, Standing.STAYS, other.get());
    }
    return cluster
        .units()
        .of(move.unit())
        .filter(KnownUnit::wantsPlace)
        .map(known -> moveDecision(known, placed).step(move.unit(), move.from()))
        .map(decision ->
            // A rebalance names the units that stay, whatever the reason.
            decision.standing() == Standing.EXEMPT
                ? step(move, Standing.STAYS, decision.detail())
                : step(move, decision.standing(), decision.detail()))
        .orElseGet(() -> step(move, Standing.NEXT, ""));
  }

  private Optional<String> whyNotByThis(ScheduledUnit placed) {
    if (cluster.machines().drain(placed.machine()).isPresent()) {
      return Optional.of("machine " + placed.machine() + " is drained");
    }
    return current().filter(rebalance -> !rebalance.goesOn()).map(Operation::reason);
  }
}
