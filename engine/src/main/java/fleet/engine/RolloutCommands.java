package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.NewRollout;
import fleet.cluster.RolloutChange;
import fleet.cluster.RolloutResult;
import fleet.core.operation.Rollout;
import fleet.core.operation.Rollout.Stage;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import fleet.engine.OptimisticUpdates.Decision;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.FileRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.RolloutRecord;
import fleet.registry.records.UnitRecord;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Commands about rollouts, written to the registry. */
final class RolloutCommands {

  /** All of them are named in one value, of which the store takes one and a half megabytes. */
  private static final int MOST_UNITS = 2_000;

  private final Registry registry;
  private final OptimisticUpdates updates;
  private final Clock clock;

  RolloutCommands(Registry registry, Clock clock) {
    this.registry = registry;
    this.updates = new OptimisticUpdates(registry);
    this.clock = clock;
  }

  /**
   * The existing units of the template, or the single unit.
   *
   * @param units that are there, the template among them
   * @param anyGlobal whether one of them is global
   */
  record Existing(Set<UnitName> units, boolean anyGlobal) {}

  /** One that is paused, or goes back, gives way to the new one. */
  Done<RolloutResult> start(NewRollout wanted, Existing existing, Caller caller) {
    if (existing.units().isEmpty()) {
      return new Done<>(RolloutResult.UNKNOWN, 0);
    }
    if (existing.anyGlobal() || Requirements.of(wanted.name(), wanted.file()).global()) {
      return new Done<>(RolloutResult.GLOBAL, 0);
    }
    if (existing.units().size() > MOST_UNITS) {
      return new Done<>(RolloutResult.TOO_MANY, 0);
    }
    return updates.update(
        Keys.rollout(wanted.name()),
        stored -> {
          if (readable(stored).filter(other -> keepsItsPlace(other, wanted)).isPresent()) {
            return Decision.leave(RolloutResult.UNDER_WAY);
          }
          Map<UnitName, String> before = before(wanted, existing.units());
          return before.isEmpty()
              ? Decision.leave(RolloutResult.NOTHING_TO_DO)
              : Decision.write(RolloutResult.STARTED, start(wanted, stored, before, caller));
        });
  }

  /** A record that cannot be read gives way: nobody acts on it. */
  private static Optional<RolloutRecord> readable(Optional<Entry> stored) {
    try {
      return stored.map(RolloutRecord::of);
    } catch (RegistryException garbage) {
      return Optional.empty();
    }
  }

  /**
   * A rollout of the same content that has not ended is followed, even if it is paused or goes
   * back.
   */
  private static boolean keepsItsPlace(RolloutRecord other, NewRollout wanted) {
    Rollout rollout = other.rollout();
    return !rollout.stage().isOver()
        && ((rollout.stage() == Stage.FORWARD && !rollout.paused())
            || other.sha256().equals(wanted.file().sha256()));
  }

  /** The files of those that do not have the new one. */
  private Map<UnitName, String> before(NewRollout wanted, Set<UnitName> units) {
    Map<String, Entry> entries =
        registry.get(units.stream().map(Keys::unit).collect(Collectors.toSet()));
    Map<UnitName, String> before = new TreeMap<>();
    entries.forEach((key, entry) -> {
      String sha256 = UnitRecord.of(entry).sha256();
      if (!sha256.equals(wanted.file().sha256())) {
        before.put(Keys.unitOf(key), sha256);
      }
    });
    return before;
  }

  private Transaction.Builder start(
      NewRollout wanted, Optional<Entry> stored, Map<UnitName, String> before, Caller caller) {
    Rollout rollout =
        new Rollout(
            wanted.name(),
            wanted.file().hash(),
            wanted.maxUnavailable(),
            wanted.healthy(),
            Stage.FORWARD,
            false,
            caller.name(),
            "",
            clock.instant());
    String sha256 = wanted.file().sha256();
    String key = Keys.rollout(wanted.name());
    String details =
        "began: %s, at most %d down at a time, healthy after %d s"
            .formatted(
                before.size() == 1 ? "1 unit" : before.size() + " units",
                wanted.maxUnavailable(),
                wanted.healthy().toSeconds());
    // The file first: who sees the rollout finds it.
    return Transaction.when()
        .unchanged(key, stored)
        .put(Keys.file(sha256), new FileRecord(wanted.file().render()).json())
        .put(key, new RolloutRecord(rollout, sha256, before).json())
        .put(Keys.command(wanted.name().value()), told(wanted.name(), details, caller.name()));
  }

  static String told(UnitName rollout, String what, String by) {
    return new CommandRecord(rollout.value(), CommandRecord.ROLLOUT, what, by).json();
  }

  /** Empty where none of this name is under way; false where it is so already. */
  Done<Optional<Boolean>> change(UnitName name, RolloutChange change, Caller caller) {
    return updates.update(
        Keys.rollout(name),
        stored -> {
          Optional<RolloutRecord> record =
              stored.map(RolloutRecord::of).filter(found -> !found.rollout().stage().isOver());
          if (record.isEmpty()) {
            return Decision.leave(Optional.empty());
          }
          Rollout before = record.get().rollout();
          Rollout after = changed(before, change, caller);
          return after.equals(before)
              ? Decision.leave(Optional.of(false), stored)
              : Decision.write(
                  Optional.of(true),
                  Transaction.when()
                      .unchanged(Keys.rollout(name), stored)
                      .put(Keys.rollout(name), record.get().with(after).json())
                      .put(Keys.command(name.value()), told(name, text(change), caller.name())));
        });
  }

  private static Rollout changed(Rollout rollout, RolloutChange change, Caller caller) {
    return switch (change) {
      case PAUSE -> rollout.withPaused(true);
      case RESUME -> rollout.withPaused(false);
      case BACK ->
          rollout.stage() == Stage.BACK
              ? rollout.withPaused(false)
              : rollout.withPaused(false).withStage(Stage.BACK, caller.name() + " asked for it");
    };
  }

  private static String text(RolloutChange change) {
    return switch (change) {
      case PAUSE -> "is paused";
      case RESUME -> "goes on";
      case BACK -> "goes back";
    };
  }
}
