package fleet.simulation;

import fleet.core.operation.OperationId;
import fleet.core.operation.OperationId.Kind;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.records.Keys;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.RebalanceRecord;
import fleet.registry.records.RolloutRecord;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.SettingsRecord;
import fleet.registry.records.UnitRecord;
import fleet.simulation.store.StoreServer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How many instances of the template operations have taken down and not brought back: never more
 * than the operation that takes the next one may have.
 */
final class FamilyWatch {

  private final Judge judge;
  private final StoreServer store;
  private final Predicate<UnitName> isUp;
  private final Map<UnitName, Incarnation> contents = new HashMap<>();

  /** Those that are down for an operation, by what it is. */
  private final Map<UnitName, Kind> down = new HashMap<>();

  /**
   * @param isUp whether a unit has been running for long enough that the leader knows
   */
  FamilyWatch(Judge judge, StoreServer store, Predicate<UnitName> isUp) {
    this.judge = judge;
    this.store = store;
    this.isUp = isUp;
    store.observe(this::committed);
  }

  private static boolean isOfFamily(UnitName unit) {
    return unit.template().filter(Workload.TEMPLATE::equals).isPresent();
  }

  private void committed(Delta delta) {
    for (Change change : delta.changes()) {
      if (change.key().startsWith(Keys.UNITS)) {
        UnitName unit = Keys.unitOf(change.key());
        if (isOfFamily(unit)) {
          wanted(unit, change);
        }
      } else if (change.key().startsWith(Keys.SCHEDULES)
          && change instanceof Change.Written written) {
        UnitName unit = Keys.unitOf(change.key());
        ScheduleRecord record = ScheduleRecord.of(written.entry());
        if (isOfFamily(unit)
            && record.target() == TargetState.STOPPING
            && !record.next().isEmpty()) {
          moves(unit, Keys.machineOf(change.key()));
        }
      }
    }
  }

  private void wanted(UnitName unit, Change change) {
    if (!(change instanceof Change.Written written)) {
      contents.remove(unit);
      down.remove(unit);
      return;
    }
    UnitRecord record = UnitRecord.of(written.entry());
    Incarnation before = contents.put(unit, record.incarnation());
    Optional<RolloutRecord> rollout =
        store
            .get(Keys.operation(OperationId.rollout(Workload.TEMPLATE)))
            .map(RolloutRecord::of)
            .filter(one -> one.operation().by().equals(record.by()))
            .filter(one -> !one.operation().stage().isOver());
    if (record.desired() != DesiredState.LAUNCHED) {
      down.remove(unit);
    } else if (rollout.isPresent() && before != null && !before.equals(record.incarnation())) {
      takes(unit, Kind.ROLLOUT, OptionalInt.of(rollout.get().operation().maxUnavailable()));
    } else if (!record.hasEnded()) {
      down.remove(unit);
    }
  }

  private void moves(UnitName unit, String machine) {
    OptionalInt drain =
        store
            .get(Keys.settings(machine))
            .flatMap(entry -> SettingsRecord.of(entry).drain())
            .map(asked -> OptionalInt.of(asked.maxUnavailable()))
            .orElse(OptionalInt.empty());
    if (drain.isPresent()) {
      takes(unit, Kind.DRAIN, drain);
    } else {
      OptionalInt most =
          store
              .get(Keys.operation(OperationId.REBALANCE))
              .map(entry -> OptionalInt.of(RebalanceRecord.of(entry).operation().maxUnavailable()))
              .orElse(OptionalInt.empty());
      takes(unit, Kind.REBALANCE, most);
    }
  }

  /** A unit that nobody wants to run is stopped whatever the limits. */
  private void takes(UnitName unit, Kind by, OptionalInt most) {
    if (!isUp.test(unit) || !DesiredUnits.isToRun(store, unit)) {
      return;
    }
    down.remove(unit);
    if (most.isPresent() && down.size() >= most.getAsInt()) {
      String message =
          "at revision %d %s is taken down for a %s that may have %d down; there are %s"
              .formatted(store.revision(), unit, by, most.getAsInt(), text());
      throw judge.violated(Rule.FEW_DOWN, message);
    }
    down.put(unit, by);
  }

  private String text() {
    return down.entrySet().stream()
        .map(entry -> entry.getKey() + " for a " + entry.getValue())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** A unit has come to be active on a machine, or has ended there by itself. */
  void isSettled(Copy copy) {
    boolean isPlaced =
        store
            .get(Keys.placement(copy.unit()))
            .map(PlacementRecord::of)
            .filter(placement -> placement.machine().equals(copy.machine()))
            .filter(placement -> placement.incarnation().equals(contents.get(copy.unit())))
            .isPresent();
    boolean stays =
        store
            .get(Keys.schedule(copy.machine(), copy.unit()))
            .map(ScheduleRecord::of)
            .filter(record -> record.target() == TargetState.LAUNCHED)
            .isPresent();
    if (isPlaced && stays) {
      down.remove(copy.unit());
    }
  }
}
