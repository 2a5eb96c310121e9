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
import fleet.engine.picture.ClusterPicture;
import fleet.engine.picture.KnownUnit;
import fleet.engine.picture.Placed;
import fleet.engine.picture.StoredRebalance.Stored;
import fleet.scheduler.Decision;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Which units a rebalance may move, whose turn it is, and where those go that have left. Decides
 * nothing and changes nothing: the leader goes by it, and whoever asks how a rebalance goes is told
 * the same. Owned by the picture's event loop.
 */
final class Rebalances {

  private final ClusterPicture picture;
  private final Room room;
  private final FamilyLimit family;

  Rebalances(ClusterPicture picture, Views views, Room room) {
    this(picture, room, new FamilyLimit(new Outages(picture, views, room)));
  }

  private Rebalances(ClusterPicture picture, Room room, FamilyLimit family) {
    this.picture = picture;
    this.room = room;
    this.family = family;
  }

  private Optional<Rebalance> current() {
    return picture.rebalance().stored().map(stored -> stored.record().rebalance());
  }

  /** Why a unit is to go elsewhere though it may stay where it is; empty where it is not. */
  Optional<String> why(Placed placed) {
    return picture.rebalance().concerns(placed)
        ? current().filter(Rebalance::goesOn).map(Rebalance::why)
        : Optional.empty();
  }

  // ---- which units may move

  /** Whether a unit does where it is what it is to do, so that it may as well do it elsewhere. */
  boolean isMovable(UnitName unit) {
    return picture.fault(unit).isEmpty()
        && picture
            .unit(unit)
            .filter(known -> picture.placed(unit).filter(at -> isAtRest(known, at)).isPresent())
            .isPresent();
  }

  private boolean isAtRest(KnownUnit known, Placed placed) {
    UnitState state = picture.state(known.unit().name(), placed.machine());
    return picture.isThere(placed.machine())
        && placed.record().target() == known.target()
        && placed.record().incarnation().equals(known.unit().incarnation())
        && placed.record().restartCounter() == known.unit().restartCounter()
        && placed.record().require().equals(known.unit().require())
        && state != null
        && doesAsTold(placed, state)
        && room.unfit(known, placed.machine()).isEmpty();
  }

  private static boolean doesAsTold(Placed placed, UnitState state) {
    return placed.record().target() == Target.LAUNCHED
        ? Outages.isOfLastStart(placed, state)
            && state.systemd().isActive()
            && !state.systemd().isChanging()
        : state.performed() == DesiredState.LOADED
            && state.incarnation().equals(placed.record().incarnation());
  }

  // ---- whose turn it is

  /** The next step for a unit that {@link #why} says is to go elsewhere. */
  Turn turn(KnownUnit known, Placed placed) {
    Optional<Move> move = picture.rebalance().move(known.unit().name(), placed.machine());
    return move.isPresent() && current().isPresent()
        ? turn(known, placed, move.get(), current().get())
        : new Turn.Stays("no rebalance moves it", Set.of(), false);
  }

  private Turn turn(KnownUnit known, Placed placed, Move move, Rebalance rebalance) {
    String machine = placed.machine();
    UnitState state = picture.state(known.unit().name(), machine);
    if (!picture.isThere(machine)) {
      return stays("machine " + machine + " is not there");
    }
    if (placed.record().target() == Target.LAUNCHED && state == null) {
      return new Turn.Waits("machine " + machine + " has not said yet how it is", Set.of());
    }
    if (state != null && Outages.hasEnded(placed, state)) {
      return new Turn.Ended();
    }
    if (state != null && state.systemd().active().equals("failed")) {
      return stays("it is failed on machine " + machine);
    }
    Optional<String> obstacle = room.obstacle(known, move.to());
    if (obstacle.isPresent()) {
      return new Turn.Stays(obstacle.get(), Set.of(), true);
    }
    return family
        .held(known, placed, state, rebalance.maxUnavailable())
        .or(() -> room.chooseOnly(known, move.to(), rebalance.why()).map(Turn.Goes::new))
        .orElseGet(() -> stays("it has no place on machine " + move.to()));
  }

  private static Turn stays(String why) {
    return new Turn.Stays(why, Set.of(), false);
  }

  /** Where a unit goes that a rebalance had leave, if that still admits it. */
  Optional<Decision> place(KnownUnit known, Placed left) {
    return picture
        .rebalance()
        .move(known.unit().name(), left.machine())
        .filter(move -> move.to().equals(left.record().next()))
        .flatMap(move -> current().flatMap(goes -> room.chooseOnly(known, move.to(), goes.why())));
  }

  // ---- how it goes

  Optional<RebalanceProgress> progress() {
    var now = new Rebalances(picture, room, family.ofNow());
    return picture
        .rebalance()
        .stored()
        .map(Stored::record)
        .map(record ->
            new RebalanceProgress(
                record.rebalance(),
                room.evenness(),
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
        picture.placed(move.unit()).filter(placed -> placed.machine().equals(move.from()));
    if (there.isEmpty()) {
      return new OfUnit(move, Standing.MOVED, "");
    }
    Placed placed = there.get();
    Optional<String> fault = picture.fault(move.unit());
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
    return picture
        .unit(move.unit())
        .filter(KnownUnit::wantsPlace)
        .map(known -> ofTurn(move, turn(known, placed)))
        .orElseGet(() -> new OfUnit(move, Standing.NEXT, ""));
  }

  private Optional<String> whyNotByThis(Placed placed) {
    if (picture.drain(placed.machine()).isPresent()) {
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
