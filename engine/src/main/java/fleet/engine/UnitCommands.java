package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.PutResult;
import fleet.cluster.StartResult;
import fleet.cluster.UnitPut;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What people tell fleet about units, written to the registry. Each command reads the unit, decides
 * and writes on condition that nobody else changed it meanwhile; where somebody did, it reads
 * again.
 */
public final class UnitCommands {

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

  /** Those that met another's change are decided anew, until all are done. */
  Done<List<PutResult>> put(List<UnitPut> puts, Caller caller) {
    Map<UnitName, PutResult> results = new HashMap<>();
    long revision = 0;
    List<UnitPut> left = puts;
    try {
      while (!left.isEmpty()) {
        Done<List<UnitPut>> attempt = attempt(left, caller, results);
        revision = Math.max(revision, attempt.revision());
        left = attempt.result();
      }
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
    return new Done<>(
        puts.stream().map(put -> Objects.requireNonNull(results.get(put.name()))).toList(),
        revision);
  }

  /** Notes the results, and returns those that have none. */
  private Done<List<UnitPut>> attempt(
      List<UnitPut> puts, Caller caller, Map<UnitName, PutResult> results) {
    Map<String, Entry> entries =
        registry.get(puts.stream().map(put -> Keys.unit(put.name())).collect(Collectors.toSet()));
    long revision = 0;
    List<UnitPut> tried = new ArrayList<>();
    List<Transaction> transactions = new ArrayList<>();
    for (UnitPut put : puts) {
      Optional<Entry> entry = Optional.ofNullable(entries.get(Keys.unit(put.name())));
      Decision<PutResult> decided = decide(put, entry, caller);
      results.put(put.name(), decided.result());
      if (decided.transaction().isPresent()) {
        tried.add(put);
        transactions.add(decided.transaction().get());
      } else {
        revision = Math.max(revision, entry.map(Entry::modified).orElse(0L));
      }
    }
    List<Outcome> outcomes = transactions.isEmpty() ? List.of() : registry.commit(transactions);
    List<UnitPut> left = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Committed committed) {
        revision = Math.max(revision, committed.revision());
      } else {
        left.add(tried.get(i));
      }
    }
    return new Done<>(left, revision);
  }

  private Decision<PutResult> decide(UnitPut put, Optional<Entry> entry, Caller caller) {
    UnitName name = put.name();
    if (entry.isEmpty()) {
      return put.file()
          .map(content -> create(name, content, put.desired(), caller))
          .orElse(Decision.refuse(PutResult.NO_CONTENT));
    }
    UnitRecord record = UnitRecord.of(entry.get());
    return put.file()
        .filter(content -> !content.hash().equals(record.hash()))
        .map(content -> replace(entry.get(), name, content, put.desired(), caller))
        .orElseGet(() -> update(entry.get(), name, record, put.desired(), caller));
  }

  private Decision<PutResult> create(
      UnitName name, UnitFile file, Optional<DesiredState> desired, Caller caller) {
    if (isActivatedTemplate(name, desired)) {
      return Decision.refuse(PutResult.TEMPLATE);
    }
    var transaction = Transaction.when().absent(Keys.unit(name));
    return new Decision<>(PutResult.CREATED, content(transaction, name, file, desired, caller));
  }

  private Decision<PutResult> replace(
      Entry entry, UnitName name, UnitFile file, Optional<DesiredState> desired, Caller caller) {
    if (isActivatedTemplate(name, desired)) {
      return Decision.refuse(PutResult.TEMPLATE);
    }
    var transaction = Transaction.when().unmodified(entry);
    return new Decision<>(PutResult.REPLACED, content(transaction, name, file, desired, caller));
  }

  /** The file first: who sees the unit finds its file. */
  private Optional<Transaction> content(
      Transaction.Builder transaction,
      UnitName name,
      UnitFile file,
      Optional<DesiredState> desired,
      Caller caller) {
    DesiredState state = desired.orElse(DesiredState.INACTIVE);
    UnitRecord record =
        new UnitRecord(
            incarnations.get(),
            file.sha256(),
            file.hash(),
            state,
            state == DesiredState.LAUNCHED ? 1 : 0,
            caller.name(),
            clock.instant());
    return Optional.of(
        transaction
            .put(Keys.file(file.sha256()), new FileRecord(file.render()).json())
            .put(Keys.unit(name), record.json())
            .build());
  }

  private static Decision<PutResult> update(
      Entry entry,
      UnitName name,
      UnitRecord record,
      Optional<DesiredState> desired,
      Caller caller) {
    if (desired.isEmpty()) {
      return Decision.refuse(PutResult.NO_DESIRED_STATE);
    }
    if (isActivatedTemplate(name, desired)) {
      return Decision.refuse(PutResult.TEMPLATE);
    }
    if (desired.get() == record.desired()) {
      return Decision.refuse(PutResult.UPDATED);
    }
    UnitRecord changed = record.withDesired(desired.get(), caller.name());
    if (desired.get() == DesiredState.LAUNCHED) {
      changed = changed.withAnotherStart(caller.name());
    }
    return new Decision<>(PutResult.UPDATED, write(entry, changed));
  }

  private static boolean isActivatedTemplate(UnitName name, Optional<DesiredState> desired) {
    return name.isTemplate() && desired.filter(state -> state != DesiredState.INACTIVE).isPresent();
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
        name,
        entry -> {
          if (entry.isEmpty()) {
            return Decision.refuse(StartResult.UNKNOWN);
          }
          UnitRecord record = UnitRecord.of(entry.get());
          return record.desired() == DesiredState.LAUNCHED
              ? new Decision<>(
                  StartResult.ACCEPTED, write(entry.get(), record.withAnotherStart(caller.name())))
              : Decision.refuse(StartResult.NOT_LAUNCHED);
        });
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
