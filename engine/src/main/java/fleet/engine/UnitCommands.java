package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.PutResult;
import fleet.cluster.StartResult;
import fleet.cluster.UnitPut;
import fleet.core.desired.Unit;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
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
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commands about units, written to the registry. Each reads the unit, decides and writes on
 * condition that nobody else changed it meanwhile; if somebody did, it reads again.
 */
public final class UnitCommands {

  private static final Decision<StartResult> NO_SUCH_UNIT = Decision.refuse(StartResult.UNKNOWN);

  private static final Logger log = LoggerFactory.getLogger(UnitCommands.class);

  private final Registry registry;
  private final Clock clock;
  private final Supplier<Incarnation> incarnations;

  /**
   * @param incarnations makes a new one at each call
   */
  public UnitCommands(Registry registry, Clock clock, Supplier<Incarnation> incarnations) {
    this.registry = registry;
    this.clock = clock;
    this.incarnations = incarnations;
  }

  /** Some units as the registry has them, by name; one whose file it lacks has none. */
  Map<UnitName, Unit> stored(Set<UnitName> names) {
    try {
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
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
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
  Done<List<PutResult>> put(List<UnitPut> puts, Caller caller) {
    try {
      return new UnitPuts(registry, clock, incarnations, caller).carryOut(puts);
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  Done<Boolean> destroy(UnitName name, Caller caller) {
    return decide(
        name,
        entry ->
            entry
                .map(existing ->
                    new Decision<>(
                        true,
                        Optional.of(
                            Transaction.when()
                                .unmodified(existing)
                                .delete(existing.key())
                                .put(Keys.command(name.value()), destruction(name, caller))
                                .build())))
                .orElse(Decision.refuse(false)));
  }

  private static String destruction(UnitName name, Caller caller) {
    return new CommandRecord(name.value(), CommandRecord.DESTROY, "", caller.name()).json();
  }

  /** Asks for another start of a launched unit. */
  Done<StartResult> startAnew(UnitName name, Caller caller) {
    return decide(
        name, entry -> entry.map(known -> anotherStart(known, caller)).orElse(NO_SUCH_UNIT));
  }

  /**
   * Asks for another start of a launched unit, unless somebody has since this one: two people who
   * both see that it has ended have it run once.
   *
   * @param counter of the last start, as the caller knows it
   */
  Done<StartResult> startAfter(UnitName name, long counter, Caller caller) {
    return decide(
        name,
        entry ->
            entry
                .map(known ->
                    isToBeStartedSince(counter, UnitRecord.of(known))
                        ? Decision.refuse(StartResult.RUNNING)
                        : anotherStart(known, caller))
                .orElse(NO_SUCH_UNIT));
  }

  private static boolean isToBeStartedSince(long counter, UnitRecord record) {
    return record.desired() == DesiredState.LAUNCHED && record.restartCounter() != counter;
  }

  private static Decision<StartResult> anotherStart(Entry entry, Caller caller) {
    UnitRecord record = UnitRecord.of(entry);
    return record.desired() == DesiredState.LAUNCHED
        ? new Decision<>(StartResult.ACCEPTED, write(entry, record.withAnotherStart(caller.name())))
        : Decision.refuse(StartResult.NOT_LAUNCHED);
  }

  private static Optional<Transaction> write(Entry entry, UnitRecord record) {
    return Optional.of(
        Transaction.when().unmodified(entry).put(entry.key(), record.json()).build());
  }

  /**
   * The decision about a command.
   *
   * @param transaction empty if nothing is to be written
   */
  private record Decision<T>(T result, Optional<Transaction> transaction) {
    static <T> Decision<T> refuse(T result) {
      return new Decision<>(result, Optional.empty());
    }
  }

  private <T> Done<T> decide(UnitName name, Function<Optional<Entry>, Decision<T>> decision) {
    try {
      while (true) {
        Optional<Entry> entry = registry.get(Keys.unit(name));
        Decision<T> decided = decision.apply(entry);
        if (decided.transaction().isEmpty()) {
          return new Done<>(decided.result(), entry.map(Entry::modified).orElse(0L));
        }
        Outcome outcome = registry.commit(decided.transaction().get());
        if (outcome instanceof Outcome.Committed) {
          return new Done<>(decided.result(), outcome.revision());
        }
      }
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }
}
