package fleet.engine;

import fleet.cluster.RebalanceProgress;
import fleet.cluster.RebalanceProgress.OfUnit;
import fleet.cluster.RebalanceProgress.Standing;
import fleet.core.operation.Rebalance;
import fleet.core.operation.Rebalance.Move;
import fleet.core.schedule.Target;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.Drains.Turn;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.Placed;
import fleet.engine.state.StoredRebalance.Stored;
import fleet.scheduler.Decision;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Which units a rebalance may move, whose turn it is, and where those go that have left. Decides
 * nothing and changes nothing: the leader goes by it, and whoever asks how a rebalance goes is told
 * the same. Owned by the state's event loop.
 */
final class Rebalances {

  private final ClusterState cluster;
  private final SchedulerState schedulerState;
  private final DisruptionBudget family;

  Rebalances(ClusterState cluster, Views views, SchedulerState schedulerState) {
    this(
        cluster,
        schedulerState,
        new DisruptionBudget(new UnavailableUnits(cluster, views, schedulerState)));
  }

  private Rebalances(ClusterState cluster, SchedulerState schedulerState, DisruptionBudget family) {
    this.cluster = cluster;
    this.schedulerState = schedulerState;
    this.family = family;
  }

  private Optional<Rebalance> current() {
    return cluster.rebalance().stored().map(stored -> stored.record().rebalance());
  }

  /** Why a unit is to go elsewhere though it may stay where it is; empty where it is not. */
  Optional<String> why(Placed placed) {
    return cluster.rebalance().concerns(placed)
        ? current().filter(Rebalance::goesOn).map(Rebalance::why)
        : Optional.empty();
  }

  // ---- which units may move

  /** Whether a unit does where it is what it is to do, so that it may as well do it elsewhere. */
  boolean isMovable(UnitName unit) {
    return cluster.fault(unit).isEmpty()
        && cluster
            .units()
            .of(unit)
            .filter(
                known -> cluster.schedule().of(unit).filter(at -> isAtRest(known, at)).isPresent())
            .isPresent();
  }

  private boolean isAtRest(KnownUnit known, Placed placed) {
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

  private static boolean doesAsTold(Placed placed, UnitState state) {
    return placed.record().target() == Target.LAUNCHED
        ? UnavailableUnits.isOfLastStart(placed, state)
            && state.systemd().isActive()
            && !state.systemd().isChanging()
        : state.performed() == DesiredState.LOADED
            && state.incarnation().equals(placed.record().incarnation());
  }

  // ---- whose turn it is

  /** The next step for a unit that {@link #why} says is to go elsewhere. */
  Turn turn(KnownUnit known, Placed placed) {
    Optional<Move> move = cluster.rebalance().move(known.unit().name(), placed.machine());
    return move.isPresent() && current().isPresent()
        ? turn(known, placed, move.get(), current().get())
        : new Turn.Stays("no rebalance moves it", Set.of(), false);
  }

  private Turn turn(KnownUnit known, Placed placed, Move move, Rebalance rebalance) {
    String machine = placed.machine();
    UnitState state = cluster.reports().state(known.unit().name(), machine);
    if (!cluster.isThere(machine)) {
      return stays("machine " + machine + " is not there");
    }
    if (placed.record().target() == Target.LAUNCHED && state == null) {
      return new Turn.Waits("machine " + machine + " has not said yet how it is", Set.of());
    }
    if (state != null && UnavailableUnits.hasEnded(placed, state)) {
      return new Turn.Ended();
    }
    if (state != null && state.systemd().active().equals("failed")) {
      return stays("it is failed on machine " + machine);
    }
    Optional<String> obstacle = schedulerState.obstacle(known, move.to());
    if (obstacle.isPresent()) {
      return new Turn.Stays(obstacle.get(), Set.of(), true);
    }
    return family
        .held(known, placed, state, rebalance.maxUnavailable())
        .or(() -> schedulerState.chooseOnly(known, move.to(), rebalance.why()).map(Turn.Goes::new))
        .orElseGet(() -> stays("it has no place on machine " + move.to()));
  }

  private static Turn stays(String why) {
    return new Turn.Stays(why, Set.of(), false);
  }

  /** Where a unit goes that a rebalance had leave, if that still admits it. */
  Optional<Decision> place(KnownUnit known, Placed left) {
    return cluster
        .rebalance()
        .move(known.unit().name(), left.machine())
        .filter(move -> move.to().equals(left.record().next()))
        .flatMap(move ->
            current().flatMap(goes -> schedulerState.chooseOnly(known, move.to(), goes.why())));
  }

  // ---- how it goes

  Optional<RebalanceProgress> progress() {
    var now = new Rebalances(cluster, schedulerState, family.ofNow());
    return cluster
        .rebalance()
        .stored()
        .map(Stored::record)
        .map(record ->
            new RebalanceProgress(
                record.rebalance(),
                schedulerState.evenness(),
                record.rebalance().ended()
                    ? record.moves().stream().map(move -> was(move, record.stayed())).toList()
                    : record.moves().stream().map(now::of).toList()));
  }

  private static OfUnit was(Move move, SortedMap<String, String> stayed) {
    String why = stayed.get(move.unit().value());
    return new OfUnit(move, why == null ? Standing.MOVED : Standing.STAYS, why == null ? "" : why);
  }

  /** The progress of one unit of a rebalance that has not ended. */
  OfUnit of(Move move) {
    Optional<Placed> there =
        cluster.schedule().of(move.unit()).filter(placed -> placed.machine().equals(move.from()));
    if (there.isEmpty()) {
      return new OfUnit(move, Standing.MOVED, "");
    }
    Placed placed = there.get();
    Optional<String> fault = cluster.fault(move.unit());
    if (fault.isPresent()) {
      return new OfUnit(move, Standing.STAYS, fault.get());
    }
    if (placed.record().target() == Target.STOPPING) {
      return new OfUnit(move, Standing.LEAVING, placed.record().why());
    }
    Optional<String> other = whyNotByThis(placed);
    if (other.isPresent()) {
      return new OfUnit(move, Standing.STAYS, other.get());
    }
    return cluster
        .units()
        .of(move.unit())
        .filter(KnownUnit::wantsPlace)
        .map(known -> ofTurn(move, turn(known, placed)))
        .orElseGet(() -> new OfUnit(move, Standing.NEXT, ""));
  }

  private Optional<String> whyNotByThis(Placed placed) {
    if (cluster.machines().drain(placed.machine()).isPresent()) {
      return Optional.of("machine " + placed.machine() + " is drained");
    }
    return current()
        .map(Rebalance::stoppedBy)
        .filter(by -> !by.isEmpty())
        .map(by -> by + " stopped the rebalance");
  }

  private static OfUnit ofTurn(Move move, Turn turn) {
    return switch (turn) {
      case Turn.Goes _ -> new OfUnit(move, Standing.NEXT, "");
      case Turn.Waits waits -> new OfUnit(move, Standing.WAITS, waits.why());
      case Turn.Stays stays -> new OfUnit(move, Standing.STAYS, stays.why());
      case Turn.Ended _ ->
          new OfUnit(move, Standing.STAYS, "it has ended, and elsewhere it would run again");
    };
  }
}
