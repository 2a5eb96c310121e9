package fleet.simulation;

import fleet.core.unit.UnitName;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.records.GlobalOperation;
import fleet.registry.records.GlobalUpdate;
import fleet.registry.records.Keys;
import fleet.registry.records.OperationRecord;
import fleet.simulation.store.StoreServer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * On how many machines the rollout or restart of a global unit has taken the unit down and not
 * brought it back: never on more than it may. Machines that may be lost do not count.
 */
final class GlobalRolloutWatch {

  private final Judge judge;
  private final StoreServer store;
  private final Function<UnitName, Set<Copy>> up;
  private final Predicate<String> isMissed;
  private final Map<UnitName, GlobalUpdate> turns = new HashMap<>();
  private final Map<UnitName, Set<String>> down = new HashMap<>();

  /**
   * @param up the copies of a unit that have run for long enough that the leader knows
   * @param isMissed whether the cluster may take the machine for lost
   */
  GlobalRolloutWatch(
      Judge judge,
      StoreServer store,
      Function<UnitName, Set<Copy>> up,
      Predicate<String> isMissed) {
    this.judge = judge;
    this.store = store;
    this.up = up;
    this.isMissed = isMissed;
    store.observe(this::committed);
  }

  private void committed(Delta delta) {
    for (Change change : delta.changes()) {
      if (change.key().startsWith(Keys.OPERATIONS)
          && change instanceof Change.Written written
          && OperationRecord.of(written.entry()) instanceof GlobalOperation operation) {
        operation.globalRollout().ifPresent(global -> turned(operation, global.update()));
      } else if (change.key().startsWith(Keys.UNITS)) {
        // People want something else of it, or all machines have the new content.
        down.remove(Keys.unitOf(change.key()));
      }
    }
  }

  private void turned(GlobalOperation rollout, GlobalUpdate now) {
    UnitName unit = rollout.name();
    Optional<GlobalUpdate> before =
        Optional.ofNullable(turns.put(unit, now))
            .filter(update -> update.withUpTo("").equals(now.withUpTo("")));
    if (rollout.operation().stage().isOver()) {
      turns.remove(unit);
      down.remove(unit);
    } else if (DesiredUnits.isToRun(store, unit)) {
      up.apply(unit).stream()
          .map(Copy::machine)
          .filter(machine ->
              now.has(machine) != before.filter(update -> update.has(machine)).isPresent())
          .forEach(machine -> takes(rollout, machine));
    }
  }

  private void takes(GlobalOperation rollout, String machine) {
    Set<String> others = down.computeIfAbsent(rollout.name(), _ -> new TreeSet<>());
    others.remove(machine);
    others.removeIf(isMissed);
    others.removeIf(rollout::acceptsFailureOn);
    if (others.size() >= rollout.operation().maxUnavailable()) {
      throw judge.violated(
          Rule.FEW_DOWN,
          "at revision %d %s is taken down on %s by a change that may have %d down; it is on %s"
              .formatted(
                  store.revision(),
                  rollout.name(),
                  machine,
                  rollout.operation().maxUnavailable(),
                  others));
    }
    others.add(machine);
  }

  /** The unit is active on a machine as it was asked for, or has ended there by itself. */
  void isSettled(Copy copy) {
    Set<String> machines = down.get(copy.unit());
    if (machines != null) {
      machines.remove(copy.machine());
    }
  }
}
