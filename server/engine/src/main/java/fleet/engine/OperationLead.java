package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationId;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.engine.decide.OperationStep;
import fleet.engine.state.ClusterState;
import fleet.engine.state.IncarnationSeal;
import fleet.engine.state.StoredOperations.Stored;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.GlobalOperation;
import fleet.registry.records.GlobalRollout;
import fleet.registry.records.GlobalUpdate;
import fleet.registry.records.HistoryRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.RestartRecord;
import fleet.registry.records.RolloutRecord;
import fleet.registry.records.UnitRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's part in operations that have a record: looks at one whenever something of it has
 * changed, and writes its next step, one at a time. The engine starts and stops the changed units
 * as any others. Owned by the state thread; writes beside it.
 */
final class OperationLead {

  private static final Logger log = LoggerFactory.getLogger(OperationLead.class);

  private final Registry registry;
  private final ClusterState cluster;
  private final Operations operations;
  private final SchedulerState schedulerState;
  private final MissingMachines missing;
  private final WorkQueue queue;
  private final EventLoop loop;
  private final LeaderWrites writes;
  private final Clock clock;
  private final Supplier<Incarnation> incarnations;

  private final Set<OperationId> touched = new TreeSet<>();
  private final Map<OperationId, Map<String, Lasting>> lasting = new HashMap<>();

  /**
   * The operations with a step that is being written, or has yet to come back through the watch.
   */
  private final Map<OperationId, Long> underWay = new HashMap<>();

  /**
   * The units that these steps replace. They count as down already, so that a drain stops no other
   * instance before the state shows the new content.
   */
  private final NavigableMap<OperationId, UnitName> replaced = new TreeMap<>();

  /** When operations are looked at again without an event, by the loop's time. */
  private final Map<OperationId, Long> due = new HashMap<>();

  private boolean allHadTheirTime;
  private boolean turnsWait;

  /** A condition of a unit, and since when it has lasted, by the loop's time. */
  private record Lasting(String condition, long since) {}

  OperationLead(
      Registry registry,
      StateLoader loader,
      LeaderWrites writes,
      Clock clock,
      Supplier<Incarnation> incarnations) {
    this.registry = registry;
    this.cluster = loader.state().cluster();
    this.operations = loader.state().operations();
    this.schedulerState = loader.state().schedulerState();
    this.missing = loader.state().missing();
    this.queue = loader.state().queue();
    this.loop = loader.loop();
    this.writes = writes;
    this.clock = clock;
    this.incarnations = incarnations;
  }

  /**
   * This engine begins to lead: each operation may have to continue, once machines had time to
   * report their units.
   *
   * @param grace how long to wait for them
   * @param timeToCome asked then for how long they still cannot have reached this engine
   */
  void begin(Duration grace, Supplier<Duration> timeToCome) {
    cluster
        .operations()
        .hold(
            "this leader is new, and machines have until %s to report their units"
                .formatted(clock.instant().plus(grace).truncatedTo(ChronoUnit.SECONDS)));
    loop.postAfter(
        grace,
        () -> {
          Duration more = timeToCome.get();
          if (more.isPositive()) {
            begin(more, timeToCome);
            return;
          }
          allHadTheirTime = true;
          cluster.operations().hold("");
          cluster.operations().all().forEach(stored -> touched.add(stored.id()));
        });
  }

  /** A machine has come, has gone or is another now: global units have other machines. */
  void machinesChanged() {
    for (Stored stored : cluster.operations().all()) {
      if (stored.takesTurns()) {
        touched.add(stored.id());
      }
    }
  }

  /** An operation has changed, or is gone. */
  void changed(OperationId id) {
    touched.add(id);
  }

  /**
   * Takes the next steps.
   *
   * @param units of which something has changed
   */
  void reconcile(Set<UnitName> units, long revision) {
    for (UnitName unit : units) {
      cluster.operations().about(unit).stream()
          .filter(stored -> concerns(stored, unit))
          .forEach(stored -> touched.add(stored.id()));
    }
    if (!allHadTheirTime) {
      return;
    }
    boolean waitedBefore = turnsWait;
    turnsWait = missing.whyTurnsWait().isPresent();
    if (waitedBefore && !turnsWait) {
      machinesChanged();
    }
    underWay.values().removeIf(written -> written <= revision);
    List.copyOf(replaced.keySet()).forEach(this::noteEnd);
    for (OperationId id : List.copyOf(touched)) {
      if (!underWay.containsKey(id)) {
        touched.remove(id);
        cluster.operations().of(id).ifPresent(this::step);
      }
    }
  }

  /** A finished operation only reacts to units that are destroyed. */
  private boolean concerns(Stored stored, UnitName unit) {
    return !stored.isOver() || cluster.units().of(unit).isEmpty();
  }

  private void noteEnd(OperationId id) {
    if (!underWay.containsKey(id)) {
      UnitName unit = Objects.requireNonNull(replaced.remove(id));
      schedulerState.replacementEnds(unit);
      queue.stateChanged(unit);
    }
  }

  private void step(Stored stored) {
    OperationId id = stored.id();
    if (stored.isOver()) {
      lasting.remove(id);
    }
    switch (operations.next(
        stored.record(), (subject, condition) -> since(id, subject, condition))) {
      case OperationStep.Wait wait -> wait.atMost().ifPresent(time -> lookAgain(id, time));
      case OperationStep.Replace replace -> replace(stored, replace);
      case OperationStep.Adopt adopt -> adopt(stored, adopt.operation());
      case OperationStep.Write step -> write(stored, step);
      case OperationStep.Forget _ ->
          write(id, () -> Optional.of(guarded(stored).delete(stored.entry().key()).build()));
    }
  }

  private void lookAgain(OperationId id, Duration in) {
    long time = loop.nanoTime() + in.toNanos();
    Long before = due.get(id);
    if (before == null || time - before < 0) {
      due.put(id, time);
      loop.postAfter(
          in,
          () -> {
            due.remove(id, time);
            touched.add(id);
          });
    }
  }

  private Duration since(OperationId id, String subject, String condition) {
    Map<String, Lasting> ofUnits = lasting.computeIfAbsent(id, _ -> new HashMap<>());
    if (condition.isEmpty()) {
      ofUnits.remove(subject);
      return Duration.ZERO;
    }
    long now = loop.nanoTime();
    Lasting before = ofUnits.get(subject);
    if (before == null || !before.condition().equals(condition)) {
      before = new Lasting(condition, now);
      ofUnits.put(subject, before);
    }
    return Duration.ofNanos(now - before.since());
  }

  // ---- what is written

  /** Holds only while this engine leads, and nobody has changed the operation. */
  private Transaction.Builder guarded(Stored stored) {
    return writes.fenced().unmodified(stored.entry());
  }

  private void write(Stored stored, OperationStep.Write step) {
    Transaction.Builder transaction = noted(stored, step);
    write(stored.id(), () -> Optional.of(transaction.build()));
  }

  private Transaction.Builder noted(Stored stored, OperationStep.Write step) {
    OperationId id = stored.id();
    Transaction.Builder transaction = guarded(stored).put(stored.entry().key(), step.now().json());
    if (!step.told().isEmpty()) {
      if (step.now().operation().stage() == Stage.BACK) {
        log.warn("{} {}", id.text(), step.told());
      } else {
        log.info("{} {}", id.text(), step.told());
      }
      transaction.put(Keys.command(id.text()), CommandRecord.of(id, step.told(), "").json());
    }
    return transaction;
  }

  private void replace(Stored stored, OperationStep.Replace replace) {
    String hash = cluster.files().peek(replace.gets()).hash();
    replaced.put(stored.id(), replace.unit());
    schedulerState.assumeReplaced(replace.unit());
    write(stored.id(), () -> replacement(stored, replace, hash));
  }

  /** Empty if the state of the unit is out of date, and about to be renewed. */
  private Optional<Transaction> replacement(
      Stored stored, OperationStep.Replace replace, String hash) {
    String history = Keys.history(replace.unit());
    Map<String, Entry> entries =
        registry.get(Set.of(Keys.unit(replace.unit()), Keys.SEAL, history));
    Optional<Entry> entry = Optional.ofNullable(entries.get(Keys.unit(replace.unit())));
    var seal = IncarnationSeal.of(Optional.ofNullable(entries.get(Keys.SEAL)));
    return entry
        .map(UnitRecord::of)
        .filter(unit -> unit.sha256().equals(replace.has()))
        .map(unit ->
            replacement(
                ContentWrite.of(replace.unit(), unit, Optional.ofNullable(entries.get(history))),
                guarded(stored).unmodified(entry.orElseThrow()),
                replaced(stored, unit, replace, hash, seal),
                rollout(stored).filter(one -> one.sha256().equals(replace.gets()))));
  }

  /**
   * The writes that give a unit another content.
   *
   * @param forward the rollout that it is the new content of; empty if a unit gets a former one
   *     back
   */
  private static Transaction replacement(
      ContentWrite content,
      Transaction.Builder transaction,
      UnitRecord now,
      Optional<RolloutRecord> forward) {
    String source =
        forward
            .map(RolloutRecord::source)
            .orElseGet(() -> content.history().sourceOf(now.sha256()));
    String cause = forward.isPresent() ? HistoryRecord.ROLLOUT : HistoryRecord.UNDO;
    return content.put(transaction, now.withSource(source), cause).build();
  }

  private static Optional<RolloutRecord> rollout(Stored stored) {
    return stored.record() instanceof RolloutRecord rollout
        ? Optional.of(rollout)
        : Optional.empty();
  }

  /**
   * The unit gets the incarnation or start that its machines have by now, so that nothing is
   * started again.
   */
  private void adopt(Stored stored, GlobalOperation operation) {
    switch (operation) {
      case RolloutRecord rollout -> adopt(stored, rollout);
      case RestartRecord restart -> adopt(stored, restart);
    }
  }

  private void adopt(Stored stored, RestartRecord record) {
    UnitName name = record.name();
    OperationStep.Write done = OperationStep.Write.enter(record, Stage.DONE, "is done", "");
    String by = record.operation().by();
    long counter = record.global().update().restartCounter();
    write(
        stored.id(),
        () ->
            registry
                .get(Keys.unit(name))
                .filter(entry -> isBase(UnitRecord.of(entry), record.global()))
                .map(entry ->
                    noted(stored, done)
                        .unmodified(entry)
                        .put(entry.key(), UnitRecord.of(entry).withStart(counter, by).json())
                        .build()));
  }

  private void adopt(Stored stored, RolloutRecord record) {
    UnitName name = record.name();
    GlobalRollout global = record.global().orElseThrow();
    OperationStep.Write done = OperationStep.Write.enter(record, Stage.DONE, "is done", "");
    write(
        stored.id(),
        () ->
            registry
                .get(Keys.unit(name))
                .filter(entry -> isBase(UnitRecord.of(entry), global))
                .map(entry ->
                    ContentWrite.of(name, UnitRecord.of(entry), registry.get(Keys.history(name)))
                        .put(
                            noted(stored, done).unmodified(entry),
                            adopted(record, global.update(), entry),
                            HistoryRecord.ROLLOUT)
                        .build()));
  }

  private static boolean isBase(UnitRecord unit, GlobalRollout global) {
    return unit.incarnation().equals(global.base())
        && unit.restartCounter() == global.baseCounter();
  }

  private UnitRecord adopted(RolloutRecord rollout, GlobalUpdate update, Entry entry) {
    UnitRecord before = UnitRecord.of(entry);
    return new UnitRecord(
            update.incarnation(),
            update.sha256(),
            update.hash(),
            before.desired(),
            update.restartCounter(),
            rollout.operation().by(),
            clock.instant())
        .withRequire(before.require())
        .withSource(rollout.source())
        .withSet(before.set());
  }

  private UnitRecord replaced(
      Stored stored,
      UnitRecord unit,
      OperationStep.Replace replace,
      String hash,
      IncarnationSeal seal) {
    return new UnitRecord(
            seal.seal(replace.unit(), incarnations.get()),
            replace.gets(),
            hash,
            unit.desired(),
            unit.desired() == DesiredState.LAUNCHED ? 1 : 0,
            stored.record().operation().by(),
            clock.instant())
        .withRequire(unit.require())
        .withSet(unit.set());
  }

  private void write(OperationId id, Supplier<Optional<Transaction>> made) {
    underWay.put(id, Long.MAX_VALUE);
    writes.write(
        "engine-operation",
        made,
        outcome -> written(id, outcome),
        e -> {
          log.warn("cannot write the next step of {}: {}", id.text(), e.getMessage());
          written(id, Optional.empty());
        });
  }

  /** A step that was not written is retried once the state had time to learn why. */
  private void written(OperationId id, Optional<Outcome> outcome) {
    if (outcome.isPresent() && outcome.get() instanceof Outcome.Committed committed) {
      underWay.put(id, committed.revision());
      touched.add(id);
    } else {
      writes.later(() -> {
        underWay.remove(id);
        touched.add(id);
      });
    }
  }
}
