package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.engine.decide.RolloutReconciliation;
import fleet.engine.decide.RolloutStep;
import fleet.engine.state.ClusterState;
import fleet.engine.state.IncarnationSeal;
import fleet.engine.state.StoredRollouts.Stored;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.RolloutRecord;
import fleet.registry.records.UnitRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's part in rollouts: looks at a rollout whenever something of it has changed, and takes
 * the next step, one at a time. The engine starts and stops the changed units as any others. Owned
 * by the state's loop; writes beside it.
 */
final class RolloutLead {

  private static final Logger log = LoggerFactory.getLogger(RolloutLead.class);

  private final Registry registry;
  private final ClusterState cluster;
  private final Rollouts rollouts;
  private final SchedulerState schedulerState;
  private final WorkQueue queue;
  private final EventLoop loop;
  private final LeaderWrites writes;
  private final Clock clock;
  private final Supplier<Incarnation> incarnations;

  private final Set<UnitName> touched = new HashSet<>();
  private final Map<UnitName, Lasting> lasting = new HashMap<>();

  /** The rollouts with a step that is being written, or has yet to come back through the watch. */
  private final Map<UnitName, Long> underWay = new HashMap<>();

  /**
   * The units that these steps replace, by rollout. They count as down already, so that a drain
   * stops no other instance before the state shows the new content.
   */
  private final Map<UnitName, UnitName> replaced = new HashMap<>();

  /** When rollouts are looked at again without an event, by the loop's time. */
  private final Map<UnitName, Long> due = new HashMap<>();

  private boolean allHadTheirTime;

  /** A condition of a unit, and since when it has lasted, by the loop's time. */
  private record Lasting(String condition, long since) {}

  RolloutLead(
      Registry registry,
      StateLoader loader,
      LeaderWrites writes,
      Clock clock,
      Supplier<Incarnation> incarnations) {
    this.registry = registry;
    this.cluster = loader.state().cluster();
    this.rollouts = loader.state().rollouts();
    this.schedulerState = loader.state().schedulerState();
    this.queue = loader.state().queue();
    this.loop = loader.loop();
    this.writes = writes;
    this.clock = clock;
    this.incarnations = incarnations;
  }

  /**
   * This engine begins to lead: each rollout may have to continue, once machines had time to report
   * their units.
   *
   * @param grace how long to wait for them
   */
  void begin(Duration grace) {
    loop.postAfter(
        grace,
        () -> {
          allHadTheirTime = true;
          cluster.rollouts().all().forEach(stored -> touched.add(stored.record().name()));
        });
  }

  /** A rollout has changed, or is gone. */
  void changed(UnitName rollout) {
    touched.add(rollout);
  }

  /**
   * Takes the next steps.
   *
   * @param units of which something has changed
   */
  void reconcile(Set<UnitName> units, long revision) {
    if (!cluster.rollouts().all().isEmpty()) {
      units.forEach(this::unitChanged);
    }
    if (!allHadTheirTime) {
      return;
    }
    underWay.values().removeIf(written -> written <= revision);
    List.copyOf(replaced.keySet()).forEach(this::noteEnd);
    for (UnitName name : List.copyOf(touched)) {
      if (!underWay.containsKey(name)) {
        touched.remove(name);
        cluster.rollouts().of(name).ifPresent(this::step);
      }
    }
  }

  private void noteEnd(UnitName rollout) {
    if (!underWay.containsKey(rollout)) {
      UnitName unit = Objects.requireNonNull(replaced.remove(rollout));
      schedulerState.replacementEnds(unit);
      queue.stateChanged(unit);
    }
  }

  private void unitChanged(UnitName unit) {
    touchRollout(unit, unit);
    unit.template().ifPresent(template -> touchRollout(template, unit));
  }

  /** A finished rollout only reacts to units that are destroyed. */
  private void touchRollout(UnitName name, UnitName unit) {
    cluster
        .rollouts()
        .of(name)
        .filter(stored ->
            !stored.record().operation().stage().isOver() || cluster.units().of(unit).isEmpty())
        .ifPresent(_ -> touched.add(name));
  }

  private void step(Stored stored) {
    RolloutRecord record = stored.record();
    UnitName name = record.name();
    if (record.operation().stage().isOver()) {
      lasting
          .keySet()
          .removeIf(unit -> unit.equals(name) || unit.template().filter(name::equals).isPresent());
    }
    var reconciliation =
        new RolloutReconciliation(
            record, rollouts.units(record, this::since), rollouts.othersDown(record));
    switch (reconciliation.next()) {
      case RolloutStep.Wait wait -> wait.atMost().ifPresent(time -> lookAgain(name, time));
      case RolloutStep.Replace replace -> replace(stored, replace);
      case RolloutStep.Prove prove ->
          write(stored, () -> Optional.of(record(stored, record.withProven(prove.units()))));
      case RolloutStep.Turn turn -> {
        log(name, turn);
        write(stored, () -> Optional.of(turn(stored, turn)));
      }
      case RolloutStep.Forget _ ->
          write(stored, () -> Optional.of(guarded(stored).delete(stored.entry().key()).build()));
    }
  }

  private void replace(Stored stored, RolloutStep.Replace replace) {
    if (cluster.files().has(replace.gets())) {
      String hash = cluster.files().peek(replace.gets()).hash();
      replaced.put(stored.record().name(), replace.unit());
      schedulerState.assumeReplaced(replace.unit());
      write(stored, () -> replacement(stored, replace, hash));
    } else {
      // An older fleet that led for a while has removed the file as unused.
      write(
          stored,
          () ->
              Optional.of(
                  turn(
                      stored,
                      new RolloutStep.Turn(
                          Stage.BACK, "the registry has lost the file of the new content"))));
    }
  }

  private void lookAgain(UnitName name, Duration in) {
    long time = loop.nanoTime() + in.toNanos();
    Long before = due.get(name);
    if (before == null || time - before < 0) {
      due.put(name, time);
      loop.postAfter(
          in,
          () -> {
            due.remove(name, time);
            touched.add(name);
          });
    }
  }

  private Duration since(UnitName unit, String condition) {
    if (condition.isEmpty()) {
      lasting.remove(unit);
      return Duration.ZERO;
    }
    long now = loop.nanoTime();
    Lasting before = lasting.get(unit);
    if (before == null || !before.condition().equals(condition)) {
      before = new Lasting(condition, now);
      lasting.put(unit, before);
    }
    return Duration.ofNanos(now - before.since());
  }

  private static void log(UnitName name, RolloutStep.Turn turn) {
    if (turn.stage() == Stage.BACK) {
      log.warn("rollout of {} is being reverted: {}", name, turn.why());
    } else {
      log.info("rollout of {} is {}", name, turn.stage().text());
    }
  }

  // ---- what is written

  /** Holds only while this engine leads, and nobody has changed the rollout. */
  private Transaction.Builder guarded(Stored stored) {
    return writes.fenced().unmodified(stored.entry());
  }

  private Transaction record(Stored stored, RolloutRecord now) {
    return guarded(stored).put(stored.entry().key(), now.json()).build();
  }

  private Transaction turn(Stored stored, RolloutStep.Turn turn) {
    Operation now = stored.record().operation().withStage(turn.stage(), turn.why());
    String what =
        switch (turn.stage()) {
          case BACK -> "is being reverted: " + turn.why();
          case DONE -> "is done";
          case UNDONE -> "is undone: " + turn.why();
          case FORWARD, STOPPING, CANCELLED -> turn.stage().text();
        };
    return guarded(stored)
        .put(stored.entry().key(), stored.record().with(now).json())
        .put(Keys.command(now.id().text()), CommandRecord.of(now.id(), what, "").json())
        .build();
  }

  /** Empty if the state of the unit is out of date, and about to be renewed. */
  private Optional<Transaction> replacement(
      Stored stored, RolloutStep.Replace replace, String hash) {
    Map<String, Entry> entries = registry.get(Set.of(Keys.unit(replace.unit()), Keys.SEAL));
    Optional<Entry> entry = Optional.ofNullable(entries.get(Keys.unit(replace.unit())));
    var seal = IncarnationSeal.of(Optional.ofNullable(entries.get(Keys.SEAL)));
    return entry
        .map(UnitRecord::of)
        .filter(unit -> unit.sha256().equals(replace.has()))
        .map(unit ->
            guarded(stored)
                .unmodified(entry.orElseThrow())
                .put(Keys.unit(replace.unit()), replaced(stored, unit, replace, hash, seal).json())
                .build());
  }

  private UnitRecord replaced(
      Stored stored,
      UnitRecord unit,
      RolloutStep.Replace replace,
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
        .withRequire(unit.require());
  }

  private void write(Stored stored, Supplier<Optional<Transaction>> made) {
    UnitName name = stored.record().name();
    underWay.put(name, Long.MAX_VALUE);
    writes.write(
        "engine-rollout",
        made,
        outcome -> written(name, outcome),
        e -> {
          log.warn("cannot write the next step of the rollout of {}: {}", name, e.getMessage());
          written(name, Optional.empty());
        });
  }

  /** A step that was not written is retried once the state had time to learn why. */
  private void written(UnitName name, Optional<Outcome> outcome) {
    if (outcome.isPresent() && outcome.get() instanceof Outcome.Committed committed) {
      underWay.put(name, committed.revision());
      touched.add(name);
    } else {
      writes.later(() -> {
        underWay.remove(name);
        touched.add(name);
      });
    }
  }
}
