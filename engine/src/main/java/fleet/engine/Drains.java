package fleet.engine;

import fleet.cluster.DrainProgress;
import fleet.cluster.DrainProgress.OfUnit;
import fleet.cluster.DrainProgress.Standing;
import fleet.core.schedule.Target;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.Placed;
import fleet.scheduler.Decision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The turns of units to leave a machine that is drained. Decides nothing and changes nothing: the
 * leader acts on them, and the progress of a drain shows the same. Owned by the state's event loop.
 */
final class Drains {

  private final ClusterState cluster;
  private final SchedulerState schedulerState;
  private final DisruptionBudget family;

  Drains(ClusterState cluster, Views views, SchedulerState schedulerState) {
    this.cluster = cluster;
    this.schedulerState = schedulerState;
    this.family = new DisruptionBudget(new UnavailableUnits(cluster, views, schedulerState));
  }

  /** The next step for a unit that is to leave its machine though it may stay. */
  sealed interface Turn {

    /** Machines that could have it if they bid for it; their ids. */
    default Set<String> mayBid() {
      return Set.of();
    }

    /** It leaves now. */
    record Goes(Decision.Placed place) implements Turn {}

    /**
     * It leaves once something has happened that is on its way.
     *
     * @param onUnits what happens to these may bring it on
     */
    record Waits(String why, Set<String> onUnits, Set<String> mayBid) implements Turn {

      Waits(String why, Set<String> onUnits) {
        this(why, onUnits, Set.of());
      }
    }

    /**
     * It stays until something is different.
     *
     * @param onUnits what happens to these may help
     * @param forRoom whether any unit that comes to a machine or goes from it may help
     */
    record Stays(String why, Set<String> onUnits, boolean forRoom, Set<String> mayBid)
        implements Turn {

      Stays(String why, Set<String> onUnits, boolean forRoom) {
        this(why, onUnits, forRoom, Set.of());
      }
    }

    /** It has run to its end and stays: elsewhere it would run a second time. */
    record Ended() implements Turn {}
  }

  // ---- whose turn it is

  Turn turn(KnownUnit known, Placed placed) {
    String machine = placed.machine();
    UnitState state = cluster.reports().state(known.unit().name(), machine);
    if (!cluster.isThere(machine)) {
      return new Turn.Waits("machine " + machine + " is not there", Set.of());
    }
    if (placed.record().target() == Target.LAUNCHED && state == null) {
      return new Turn.Waits("machine " + machine + " has not said yet how it is", Set.of());
    }
    if (state != null && UnavailableUnits.hasEnded(placed, state)) {
      return new Turn.Ended();
    }
    return switch (schedulerState.chooseAnew(known)) {
      case Decision.Placed place ->
          held(known, placed, state).orElseGet(() -> new Turn.Goes(place));
      case Decision.Unplaceable unplaceable -> {
        Set<String> onUnits = new HashSet<>(unplaceable.unitsInTheWay());
        onUnits.addAll(known.requirements().machineOf());
        yield unplaceable.awaitsBids()
            ? new Turn.Waits(unplaceable.text(), onUnits, unplaceable.mayBid())
            : new Turn.Stays(
                unplaceable.text(), onUnits, unplaceable.waitsForRoom(), unplaceable.mayBid());
      }
    };
  }

  private Optional<Turn> held(KnownUnit known, Placed placed, @Nullable UnitState state) {
    return cluster
        .machines()
        .drain(placed.machine())
        .flatMap(drain -> family.held(known, placed, state, drain.maxUnavailable()));
  }

  // ---- how it goes

  /** Empty where the machine is not drained. */
  Optional<DrainProgress> progress(String machine) {
    return cluster
        .machines()
        .drain(machine)
        .map(drain -> new DrainProgress(drain, unitsOf(machine)));
  }

  private List<OfUnit> unitsOf(String machine) {
    List<OfUnit> units = new ArrayList<>();
    for (UnitName unit : new TreeSet<>(cluster.schedule().unitsOn(machine))) {
      cluster.schedule().of(unit).ifPresent(placed -> units.add(ofUnit(unit, placed)));
    }
    for (UnitName global : schedulerState.globalsOn(machine)) {
      units.add(new OfUnit(global, Standing.GLOBAL, "", ""));
    }
    return units;
  }

  private OfUnit ofUnit(UnitName unit, Placed placed) {
    Optional<String> fault = cluster.fault(unit);
    if (fault.isPresent()) {
      return new OfUnit(unit, Standing.STAYS, "", fault.get());
    }
    if (placed.record().target() == Target.STOPPING) {
      return new OfUnit(unit, Standing.LEAVING, placed.record().next(), placed.record().why());
    }
    return cluster
        .units()
        .of(unit)
        .filter(KnownUnit::wantsPlace)
        .map(known -> ofTurn(unit, turn(known, placed)))
        .orElseGet(() -> new OfUnit(unit, Standing.NEXT, "", ""));
  }

  private static OfUnit ofTurn(UnitName unit, Turn turn) {
    return switch (turn) {
      case Turn.Goes goes -> new OfUnit(unit, Standing.NEXT, goes.place().machine(), "");
      case Turn.Waits waits -> new OfUnit(unit, Standing.WAITS, "", waits.why());
      case Turn.Stays stays -> new OfUnit(unit, Standing.STAYS, "", stays.why());
      case Turn.Ended _ -> new OfUnit(unit, Standing.ENDED, "", "");
    };
  }
}
