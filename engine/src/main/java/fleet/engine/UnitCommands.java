package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.PutResult;
import fleet.cluster.StartResult;
import fleet.cluster.UnitPut;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What people tell fleet about units, written to the registry. Each command reads the unit, decides
 * and writes on condition that nobody else changed it meanwhile; where somebody did, it reads
 * again.
 */
public final class UnitCommands {

  private static final Decision<StartResult> NO_SUCH_UNIT = Decision.refuse(StartResult.UNKNOWN);

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
   * What a command comes to.
   *
   * @param transaction empty where nothing is to be written
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
