package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.PutResult;
import fleet.cluster.UnitPut;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.engine.state.IncarnationSeal;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Condition;
import fleet.registry.records.HistoryRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One request to put many units. Each is judged by itself; those of one file are written together,
 * since the store takes a key once in a transaction, and a template's instances all write the same
 * file. Puts that met a concurrent change are judged again, until all are done. For one thread.
 */
final class UnitPutBatch {

  /** This many keys and a file are half of what the store takes in one transaction. */
  private static final int TOGETHER = 60;

  private final Registry registry;
  private final Clock clock;
  private final Supplier<Incarnation> incarnations;
  private final Caller caller;
  private final Map<UnitName, PutResult> results = new HashMap<>();
  private IncarnationSeal seal = IncarnationSeal.NONE;
  private long revision;

  /**
   * The decision about a put.
   *
   * @param unit empty if nothing is to be written
   */
  private record PutDecision(PutResult result, Optional<UnitWrite> unit) {
    static PutDecision withoutWrite(PutResult result) {
      return new PutDecision(result, Optional.empty());
    }
  }

  /**
   * A unit's record, to be written.
   *
   * @param file what is written with it; empty if the unit keeps its file
   * @param replaced the unit with its former file; empty if it keeps its file or is new
   */
  private record UnitWrite(
      UnitPut put,
      Condition condition,
      UnitRecord record,
      Optional<UnitFile> file,
      Optional<UnitRecord> replaced) {

    /** The unit, and its history if it gets another content. */
    int keys() {
      return replaced.isPresent() ? 2 : 1;
    }
  }

  UnitPutBatch(Registry registry, Clock clock, Supplier<Incarnation> incarnations, Caller caller) {
    this.registry = registry;
    this.clock = clock;
    this.incarnations = incarnations;
    this.caller = caller;
  }

  /**
   * Puts all units, and returns the results in their order.
   *
   * @throws fleet.registry.RegistryException if the store does not answer
   */
  CommandResult<List<PutResult>> carryOut(List<UnitPut> puts) {
    List<UnitPut> left = attempt(puts, TOGETHER);
    while (!left.isEmpty()) {
      // Written alone, so that a unit that changes all the time holds up no other.
      left = attempt(left, 1);
    }
    return new CommandResult<>(
        puts.stream().map(put -> Objects.requireNonNull(results.get(put.name()))).toList(),
        revision);
  }

  /** Notes the results, and returns the puts that have none. */
  private List<UnitPut> attempt(List<UnitPut> puts, int together) {
    Set<String> keys =
        puts.stream()
            .map(put -> Keys.unit(put.name()))
            .collect(Collectors.toCollection(HashSet::new));
    keys.add(Keys.SEAL);
    Map<String, Entry> entries = registry.get(keys);
    seal = IncarnationSeal.of(Optional.ofNullable(entries.get(Keys.SEAL)));
    List<UnitWrite> writes = new ArrayList<>();
    for (UnitPut put : puts) {
      Optional<Entry> entry = Optional.ofNullable(entries.get(Keys.unit(put.name())));
      PutDecision decided = decide(put, entry);
      results.put(put.name(), decided.result());
      decided.unit().ifPresent(writes::add);
      if (decided.unit().isEmpty()) {
        noteRevision(entry.map(Entry::modified).orElse(0L));
      }
    }
    return writes.isEmpty()
        ? List.of()
        : commit(groups(writes, together), registry.get(histories(writes)));
  }

  private static Set<String> histories(List<UnitWrite> writes) {
    return writes.stream()
        .filter(write -> write.replaced().isPresent())
        .map(write -> Keys.history(write.put().name()))
        .collect(Collectors.toSet());
  }

  private void noteRevision(long another) {
    revision = Math.max(revision, another);
  }

  /** Groups of units with the same file, none with many more keys than that. */
  private static List<List<UnitWrite>> groups(List<UnitWrite> writes, int together) {
    List<List<UnitWrite>> groups = new ArrayList<>();
    Map<String, List<UnitWrite>> open = new LinkedHashMap<>();
    for (UnitWrite write : writes) {
      String file = write.file().map(one -> one.sha256() + one.typedSha256()).orElse("");
      List<UnitWrite> group = open.computeIfAbsent(file, _ -> new ArrayList<>());
      group.add(write);
      if (file.isEmpty() || group.stream().mapToInt(UnitWrite::keys).sum() >= together) {
        groups.add(group);
        open.remove(file);
      }
    }
    groups.addAll(open.values());
    return groups;
  }

  private List<UnitPut> commit(List<List<UnitWrite>> groups, Map<String, Entry> histories) {
    List<Outcome> outcomes =
        registry.commit(groups.stream().map(group -> transaction(group, histories)).toList());
    List<UnitPut> left = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Committed committed) {
        noteRevision(committed.revision());
      } else {
        groups.get(i).forEach(write -> left.add(write.put()));
      }
    }
    return left;
  }

  /** The file first: a reader of the unit must find it. */
  private static Transaction transaction(List<UnitWrite> group, Map<String, Entry> histories) {
    Transaction.Builder transaction = Transaction.when();
    group.getFirst().file().ifPresent(file -> ContentWrite.putFile(transaction, file));
    for (UnitWrite write : group) {
      transaction.and(write.condition());
      UnitName name = write.put().name();
      if (write.replaced().isPresent()) {
        Optional<Entry> history = Optional.ofNullable(histories.get(Keys.history(name)));
        ContentWrite.of(name, write.replaced().get(), history)
            .put(transaction, write.record(), HistoryRecord.SUBMIT);
      } else {
        transaction.put(Keys.unit(name), write.record().json());
      }
    }
    return transaction.build();
  }

  // ---- what becomes of one

  private PutDecision decide(UnitPut put, Optional<Entry> entry) {
    if (entry.isEmpty()) {
      return put.file()
          .map(file ->
              content(
                  put,
                  file,
                  put.require(),
                  new Condition.Absent(Keys.unit(put.name())),
                  Optional.empty()))
          .orElse(PutDecision.withoutWrite(PutResult.NO_CONTENT));
    }
    UnitRecord record = UnitRecord.of(entry.get());
    Condition unmodified = new Condition.Unmodified(entry.get().key(), entry.get().modified());
    return put.file()
        .filter(file -> !file.hash().equals(record.hash()))
        .map(file -> content(put, file, require(put, record), unmodified, Optional.of(record)))
        .orElseGet(() -> update(put, unmodified, record));
  }

  /** Requirements of a unit beside its file; a put that names none leaves them as they are. */
  private static List<String> require(UnitPut put, UnitRecord record) {
    return put.require().isEmpty() ? record.require() : put.require();
  }

  private PutDecision content(
      UnitPut put,
      UnitFile file,
      List<String> require,
      Condition condition,
      Optional<UnitRecord> before) {
    if (isActivatedTemplate(put)) {
      return PutDecision.withoutWrite(PutResult.TEMPLATE);
    }
    DesiredState state = put.desired().orElse(DesiredState.INACTIVE);
    UnitRecord record =
        new UnitRecord(
                seal.seal(put.name(), incarnations.get()),
                file.sha256(),
                file.hash(),
                state,
                state == DesiredState.LAUNCHED ? 1 : 0,
                caller.name(),
                clock.instant())
            .withRequire(require)
            .withSource(file.typedSha256())
            .withSet(set(put, before));
    return new PutDecision(
        before.isPresent() ? PutResult.REPLACED : PutResult.CREATED,
        Optional.of(new UnitWrite(put, condition, record, Optional.of(file), before)));
  }

  /** A unit stays in its set, whatever its content. */
  private static String set(UnitPut put, Optional<UnitRecord> before) {
    return put.set().or(() -> before.map(UnitRecord::set)).orElse("");
  }

  private PutDecision update(UnitPut put, Condition unmodified, UnitRecord record) {
    Optional<UnitFile> typed = put.file().filter(UnitFile::isTyped);
    UnitRecord annotated =
        typed
            .map(file -> record.withSource(file.typedSha256()))
            .orElse(record)
            .withSet(set(put, Optional.of(record)));
    if (put.desired().isEmpty() && typed.isEmpty() && put.set().isEmpty()) {
      return PutDecision.withoutWrite(PutResult.NO_DESIRED_STATE);
    }
    if (isActivatedTemplate(put)) {
      return PutDecision.withoutWrite(PutResult.TEMPLATE);
    }
    DesiredState desired = put.desired().orElse(record.desired());
    List<String> require = require(put, record);
    if (hasOtherRequirements(record, desired, require)) {
      return PutDecision.withoutWrite(PutResult.OTHER_REQUIREMENTS);
    }
    UnitRecord changed =
        desired == record.desired() ? annotated : desiring(annotated, desired, require);
    return changed.equals(record)
        ? PutDecision.withoutWrite(PutResult.UPDATED)
        : new PutDecision(
            PutResult.UPDATED,
            Optional.of(
                new UnitWrite(
                    put,
                    unmodified,
                    changed,
                    typed.filter(file -> !changed.source().equals(record.source())),
                    Optional.empty())));
  }

  private UnitRecord desiring(UnitRecord record, DesiredState desired, List<String> require) {
    UnitRecord changed = record.withDesired(desired, caller.name()).withRequire(require);
    return desired == DesiredState.LAUNCHED ? changed.withAnotherStart(caller.name()) : changed;
  }

  /** Whether a put changes the requirements of a unit that has a place. */
  private static boolean hasOtherRequirements(
      UnitRecord record, DesiredState desired, List<String> require) {
    return record.desired() != DesiredState.INACTIVE
        && desired != DesiredState.INACTIVE
        && !record.require().equals(require);
  }

  private static boolean isActivatedTemplate(UnitPut put) {
    return put.name().isTemplate()
        && put.desired().filter(state -> state != DesiredState.INACTIVE).isPresent();
  }
}
