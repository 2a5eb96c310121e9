package fleet.engine;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Event;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.engine.event.EventLog;
import fleet.engine.picture.ClusterPicture;
import fleet.engine.picture.Placed;
import fleet.engine.picture.Touched;
import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leading engine: sees every change of the registry and every report of a machine, decides what
 * follows, and writes it.
 *
 * <p>One event thread owns the picture. Decisions are written in batches, one batch at a time, by a
 * thread of its own; what was written comes back through the watch like any other change, and only
 * then counts. So the picture is never ahead of the registry, and a write that fails needs no
 * undoing.
 */
public final class Engine implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Engine.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Registry registry;
  private final EngineCoordination coordination;
  private final EngineSettings settings;
  private final EventLoop loop;
  private final EventLog events;
  private final Consumer<String> onEnd;
  private final ClusterPicture picture = new ClusterPicture();
  private final Views views = new Views(picture);
  private final ScheduleDispatch dispatch;
  private final Decider decider;

  private final Set<UnitName> touched = new LinkedHashSet<>();
  private final Map<String, Object> absences = new HashMap<>();
  private final List<Event.Body> news = new ArrayList<>();
  private final TreeMap<Long, List<CompletableFuture<Void>>> awaited = new TreeMap<>();
  private long revision;
  private long writtenUpTo;
  private boolean writing;
  private @Nullable Watch watch;

  /**
   * @param epoch unlike that of any engine before, for the positions of events
   * @param onEnd told why this engine cannot go on: a new one must be made
   */
  public Engine(
      Registry registry,
      EngineCoordination coordination,
      EngineSettings settings,
      Clock clock,
      EventLoop.Starter loops,
      String epoch,
      Consumer<String> onEnd) {
    this.registry = registry;
    this.onEnd = onEnd;
    this.coordination = coordination;
    this.settings = settings;
    this.events = new EventLog(epoch, settings.eventsKept(), clock);
    this.dispatch = new ScheduleDispatch(picture, coordination);
    this.decider = new Decider(picture, views, clock);
    this.loop = loops.start("engine", this::endTurn);
  }

  /**
   * Loads the registry and begins to lead.
   *
   * @throws RegistryException where the registry cannot be read
   */
  public void start() {
    Snapshot snapshot = registry.read("");
    loop.call(() -> {
      snapshot.entries().forEach(this::written);
      revision = snapshot.revision();
      return null;
    });
    watch = registry.watch("", snapshot, new RegistryEvents());
    coordination.lead(new MachineEvents());
    loop.call(() -> {
      picture.schedule().stream()
          .map(Placed::machine)
          .distinct()
          .filter(machine -> picture.machine(machine).isEmpty())
          .forEach(this::awaitReturn);
      return null;
    });
    loop.postEvery(settings.safetyPass(), decider::touchAll);
  }

  EventLog events() {
    return events;
  }

  /** Asks the picture and the views; the answer must not hold on to either. */
  <T> T query(Function<Reading, T> question) {
    try {
      return loop.call(() -> question.apply(new Reading(picture, views)));
    } catch (IllegalStateException stopping) {
      throw new ClusterUnavailableException("fleetd is stopping", stopping);
    }
  }

  /** What a query may look at. */
  record Reading(ClusterPicture picture, Views views) {}

  /** Returns once queries see everything up to a revision. */
  void awaitRevision(long wanted) {
    var seen = new CompletableFuture<Void>();
    try {
      loop.call(() -> awaited.computeIfAbsent(wanted, _ -> new ArrayList<>()).add(seen));
      seen.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterUnavailableException("interrupted", e);
    } catch (ExecutionException | IllegalStateException e) {
      throw new ClusterUnavailableException("fleetd is stopping", e);
    }
  }

  /** Whether the engine gets round to new work within the time. */
  public boolean answersWithin(Duration time) throws InterruptedException {
    return loop.answersWithin(time);
  }

  /** Stops deciding; nothing that runs is touched. */
  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
    events.close();
    loop.close();
    awaited.values().forEach(list -> list.forEach(waiter -> waiter.cancel(false)));
  }

  // ---- what happens

  private void written(Entry entry) {
    try {
      touch(picture.written(entry));
    } catch (RegistryException e) {
      log.error("passing over what cannot be read: {}", e.getMessage());
    }
  }

  private void changed(Delta delta) {
    for (Delta.Change change : delta.changes()) {
      switch (change) {
        case Delta.Change.Written written -> written(written.entry());
        case Delta.Change.Deleted deleted -> touch(picture.deleted(deleted.key()));
      }
    }
    revision = delta.revision();
  }

  private void touch(Touched what) {
    switch (what) {
      case Touched.Nothing _ -> {}
      case Touched.OfUnit unit -> touchUnit(unit.unit());
      case Touched.Scheduled scheduled -> {
        dispatch.touched(scheduled.machine(), scheduled.unit());
        decider.scheduleChanged(scheduled.unit());
        touchUnit(scheduled.unit());
      }
      case Touched.Global global -> {
        dispatch.touchedGlobal(global.unit());
        decider.globalChanged(global.unit());
        touchUnit(global.unit());
      }
      case Touched.OfMachine machine -> machineChanged(machine.machine());
    }
  }

  private void touchUnit(UnitName unit) {
    touched.add(unit);
    decider.touch(unit);
  }

  private void machineChanged(String id) {
    picture
        .machine(id)
        .ifPresent(machine -> {
          decider.machineChanged(machine);
          dispatch.greet(id);
          news.add(new Event.MachineChanged(machine));
        });
  }

  private void present(Machine machine) {
    boolean known = picture.machine(machine.id()).isPresent();
    absences.remove(machine.id());
    picture.present(machine);
    if (!known) {
      log.info("machine {} joined", machine.id());
    }
    machineChanged(machine.id());
  }

  private void absent(String machine, String why) {
    log.info("machine {} left: {}", machine, why);
    for (UnitName unit : picture.absent(machine)) {
      news.add(new Event.StateGone(unit, machine));
      touchUnit(unit);
    }
    decider.machineGone(machine);
    awaitReturn(machine);
    news.add(new Event.MachineGone(machine, why));
  }

  private void reported(String machine, AgentReport report) {
    switch (report) {
      case AgentReport.Stated stated -> {
        if (picture.stated(stated.state())) {
          news.add(new Event.StateChanged(stated.state()));
          touched.add(report.unit());
        }
      }
      case AgentReport.Gone gone -> {
        if (picture.gone(machine, gone.unit(), gone.incarnation(), gone.revision())) {
          news.add(new Event.StateGone(gone.unit(), machine));
        }
        touchUnit(gone.unit());
      }
      case AgentReport.Refused refused -> {
        log.warn("machine {} refused {}: {}", machine, refused.unit(), refused.why());
        picture.refused(refused, machine);
        touchUnit(refused.unit());
      }
      case AgentReport.Freed freed -> {
        picture.freed(machine, freed.unit());
        touchUnit(freed.unit());
      }
    }
  }

  /** Counts a machine as lost if it is silent from now on for all of its grace. */
  private void awaitReturn(String machine) {
    Object absence = new Object();
    absences.put(machine, absence);
    loop.postAfter(
        settings.agentTtl(),
        () -> {
          if (absences.remove(machine, absence)) {
            log.warn("machine {} is lost: not a word from it", machine);
            decider.machineLost(machine);
          }
        });
  }

  // ---- what follows

  private void endTurn() {
    dispatch.send();
    if (!writing && writtenUpTo <= revision) {
      Decisions decisions = decider.decide();
      touched.addAll(decisions.considered());
      if (!decisions.writes().isEmpty()) {
        write(decisions);
      } else if (decider.hasMore()) {
        anotherTurn();
      }
      removeUnusedFiles();
    }
    tell();
  }

  /** Where nothing was written, no event follows that would bring on the next batch. */
  private void anotherTurn() {
    loop.post(() -> {});
  }

  private void write(Decisions decisions) {
    writing = true;
    Transaction transaction = decisions.writes().transaction();
    loop.beside(
        "engine-write",
        () -> {
          try {
            Outcome outcome = registry.commit(transaction);
            loop.post(() -> wrote(decisions, outcome.revision()));
          } catch (RuntimeException e) {
            loop.post(() -> notWritten(decisions, e));
          }
        });
  }

  private void wrote(Decisions decisions, long upTo) {
    decisions.messages().forEach(log::info);
    writing = false;
    writtenUpTo = upTo;
  }

  private void notWritten(Decisions decisions, RuntimeException why) {
    log.error(
        "cannot write {} decisions: {}; trying again", decisions.writes().size(), why.getMessage());
    decider.undo();
    loop.postAfter(
        RETRY,
        () -> {
          writing = false;
          decisions.considered().forEach(decider::touch);
        });
  }

  private void removeUnusedFiles() {
    List<Entry> unused = picture.files().takeUnused();
    if (unused.isEmpty()) {
      return;
    }
    loop.beside("engine-files", () -> unused.forEach(this::removeUnlessWrittenAgain));
  }

  private void removeUnlessWrittenAgain(Entry file) {
    try {
      Outcome _ = registry.commit(Transaction.when().unmodified(file).delete(file.key()).build());
    } catch (RegistryException e) {
      log.debug("{} stays for now: {}", file.key(), e.getMessage());
    }
  }

  private void tell() {
    for (UnitName unit : touched) {
      views.refresh(unit).ifPresent(news::add);
    }
    touched.clear();
    events.append(revision, news);
    news.clear();
    Map<Long, List<CompletableFuture<Void>>> reached = awaited.headMap(revision, true);
    reached.values().forEach(list -> list.forEach(waiter -> waiter.complete(null)));
    reached.clear();
  }

  private final class RegistryEvents implements Watcher {
    @Override
    public void changed(Delta delta) {
      loop.post(() -> Engine.this.changed(delta));
    }

    @Override
    public void failed(RegistryException why) {
      onEnd.accept("the watch of the registry ended: " + why.getMessage());
    }
  }

  private final class MachineEvents implements EngineCoordination.Listener {
    @Override
    public void present(Machine machine) {
      loop.post(() -> Engine.this.present(machine));
    }

    @Override
    public void reported(String machine, List<AgentReport> reports) {
      loop.post(() -> reports.forEach(report -> Engine.this.reported(machine, report)));
    }

    @Override
    public void absent(String machine, String why) {
      loop.post(() -> Engine.this.absent(machine, why));
    }
  }
}
