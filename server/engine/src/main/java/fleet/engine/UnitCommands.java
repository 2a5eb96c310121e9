package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.DestroyCondition;
import fleet.cluster.DestroyResult;
import fleet.cluster.PutResult;
import fleet.cluster.StartResult;
import fleet.cluster.UnitPut;
import fleet.core.desired.Unit;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.engine.OptimisticUpdates.Update;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.FileRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commands about units, written to the registry. */
public final class UnitCommands {

  private static final Update<StartResult> NO_SUCH_UNIT = Update.unchanged(StartResult.UNKNOWN);

  private static final Logger log = LoggerFactory.getLogger(UnitCommands.class);

  private final Registry registry;
  private final OptimisticUpdates updates;
  private final Clock clock;
  private final Supplier<Incarnation> incarnations;

  /**
   * @param incarnations makes a new one at each call
   */
  public UnitCommands(Registry registry, Clock clock, Supplier<Incarnation> incarnations) {
    this.registry = registry;
    this.updates = new OptimisticUpdates(registry);
    this.clock = clock;
    this.incarnations = incarnations;
  }

  /** Some units as the registry has them, by name; without a file if the registry lacks it. */
  Map<UnitName, Unit> stored(Set<UnitName> names) {
    return OptimisticUpdates.available(() -> {
      Map<UnitName, UnitRecord> records = new HashMap<>();
      registry
          .get(names.stream().map(Keys::unit).collect(Collectors.toSet()))
          .forEach((key, entry) -> records.put(Keys.unitOf(key), UnitRecord.of(entry)));
      Map<String, UnitFile> files =
          files(
              records.values().stream()
                  .map(record -> Keys.file(record.sha256()))
                  .collect(Collectors.toSet()));
      Map<UnitName, Unit> units = new HashMap<>();
      records.forEach((name, record) -> units.put(name, unit(name, record, files)));
      return units;
    });
  }

  private Map<String, UnitFile> files(Set<String> keys) {
    Map<String, UnitFile> files = new HashMap<>();
    registry
        .get(keys)
        .forEach((key, entry) -> {
          try {
            files.put(key, UnitFile.parse(FileRecord.of(entry).text()));
          } catch (UnitFileSyntaxException e) {
            log.warn("key {} of the registry is not a unit file: {}", key, e.getMessage());
          }
        });
    return files;
  }

  private static Unit unit(UnitName name, UnitRecord record, Map<String, UnitFile> files) {
    return new Unit(
        name,
        record.incarnation(),
        files.getOrDefault(Keys.file(record.sha256()), new UnitFile(List.of())),
        record.desired(),
        record.restartCounter(),
        record.by(),
        record.created(),
        record.require());
  }

  /** Each unit by itself, in few writes. */
  CommandResult<List<PutResult>> put(List<UnitPut> puts, Caller caller) {
    return OptimisticUpdates.available(
        () -> new UnitPutBatch(registry, clock, incarnations, caller).carryOut(puts));
  }

  CommandResult<DestroyResult> destroy(UnitName name, DestroyCondition condition, Caller caller) {
    return updates.update(
        Keys.unit(name),
        entry -> {
          if (entry.isEmpty()) {
            return Update.unchanged(new DestroyResult.Unknown());
          }
          Entry existing = entry.get();
          Optional<String> other = obstacle(name, condition, existing);
          if (other.isPresent()) {
            return Update.unchanged(new DestroyResult.Kept(other.get()), entry);
          }
          return Update.write(
              new DestroyResult.Destroyed(),
              Transaction.when()
                  .unmodified(existing)
                  .delete(existing.key())
                  .delete(Keys.history(name))
                  .put(Keys.command(name.value()), destruction(name, caller)));
        });
  }

  /** Why a unit is not to be destroyed. Without a condition, damaged ones are as well. */
  private static Optional<String> obstacle(
      UnitName name, DestroyCondition condition, Entry existing) {
    if (condition.equals(DestroyCondition.NONE)) {
      return Optional.empty();
    }
    UnitRecord record = UnitRecord.of(existing);
    Optional<String> set = condition.set().filter(one -> !one.equals(record.set()));
    if (set.isPresent()) {
      String other = record.set().isEmpty() ? "" : ", but in " + record.set();
      return Optional.of(name + " is not in the set " + set.get() + " any more" + other);
    }
    return condition
        .incarnation()
        .filter(one -> !one.equals(record.incarnation()))
        .map(_ -> name + " has been replaced meanwhile");
  }

  private static String destruction(UnitName name, Caller caller) {
    return new CommandRecord(name.value(), CommandRecord.DESTROY, "", caller.name()).json();
  }

  /** Asks for another start of a launched unit. */
  CommandResult<StartResult> restart(UnitName name, Caller caller) {
    return updates.update(
        Keys.unit(name),
        entry -> entry.map(known -> anotherStart(known, caller)).orElse(NO_SUCH_UNIT));
  }

  /**
   * Asks for another start of a launched unit, unless one was requested since: two people who both
   * see that it has ended run it once.
   *
   * @param counter of the last start, as the caller knows it
   */
  CommandResult<StartResult> startUnlessRequestedSince(UnitName name, long counter, Caller caller) {
    return updates.update(
        Keys.unit(name),
        entry ->
            entry
                .map(known ->
                    isToBeStartedSince(counter, UnitRecord.of(known))
                        ? Update.unchanged(StartResult.RUNNING, entry)
                        : anotherStart(known, caller))
                .orElse(NO_SUCH_UNIT));
  }

  private static boolean isToBeStartedSince(long counter, UnitRecord record) {
    return record.desired() == DesiredState.LAUNCHED && record.restartCounter() != counter;
  }

  private static Update<StartResult> anotherStart(Entry entry, Caller caller) {
    UnitRecord record = UnitRecord.of(entry);
    return record.desired() == DesiredState.LAUNCHED
        ? Update.write(
            StartResult.ACCEPTED,
            Transaction.when()
                .unmodified(entry)
                .put(entry.key(), record.withAnotherStart(caller.name()).json()))
        : Update.unchanged(StartResult.NOT_LAUNCHED, Optional.of(entry));
  }
}
