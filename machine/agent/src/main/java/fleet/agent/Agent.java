package fleet.agent;

import fleet.agent.isolation.IsolationGuard;
import fleet.agent.isolation.SystemdGuard;
import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.agent.place.ForeignUnits;
import fleet.agent.place.Placer;
import fleet.agent.place.UnitDirectory;
import fleet.agent.reconcile.Reconciliation;
import fleet.agent.reconcile.Step;
import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.unit.Dependencies;
import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the systemd of this machine match its schedule.
 *
 * <p>One event thread owns the state of the units here; calls of systemd and the disk run on
 * threads of their own, and their results come back as events. A unit has at most one piece of work
 * under way. Units that an event has touched are reconciled at the end of its turn, so that many
 * events become one batch; a slow safety pass looks at everything and should find nothing.
 *
 * <p>It never touches a unit without its mark. Being stopped leaves all units running.
 */
public final class Agent implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Agent.class);

  /** How long the cluster may take to learn that this machine leaves it. */
  private static final Duration LEAVE = Duration.ofSeconds(5);

  /**
   * How long a unit must have been inactive to count as ended: systemd shows a restarting one as
   * inactive for a moment.
   */
  private static final Duration END = Duration.ofMillis(500);

  private final AgentSettings settings;
  private final AgentCoordination coordination;
  private final Answerer answerer;
  private final EventLoop loop;
  private final Systemd systemd;
  private final Marks marks;
  private final Placer placer;
  private final Schedule schedule = new Schedule();
  private final LocalUnits units;

  /** Units that are started once the units that they name are here. */
  private final Set<UnitName> early = new LinkedHashSet<>();

  private final CompletedUnits completed = new CompletedUnits();
  private final UnitStateObserver stateObserver;
  private final ReportCollector reports;
  private final PlacementBatches placements;
  private final UnitRunner runner;
  private final IsolationControl isolationControl;
  private boolean connected = true;
  private Machine machine;
  private @Nullable Release release;
  private volatile AgentCoordination.@Nullable Session session;

  /**
   * Connects to systemd; {@link #start} makes the agent work.
   *
   * @param connector connects to systemd, once the agent is there to listen
   * @throws IOException if its directories cannot be made
   * @throws SystemdException if systemd is out of reach
   */
  public Agent(
      Machine machine,
      AgentSettings settings,
      AgentCoordination coordination,
      Answerer answerer,
      Function<Systemd.Listener, Systemd> connector,
      EventLoop.Factory loops)
      throws IOException {
    this(
        machine,
        settings,
        coordination,
        answerer,
        connector,
        systemd ->
            new SystemdGuard(
                systemd, settings.isolationDirectory(), settings.marksDirectory(), settings.user()),
        loops,
        InstantSource.system());
  }

  /**
   * The same, with a guard outside of systemd, and another clock.
   *
   * @param guards gets the connection to systemd
   * @throws IOException if its directories cannot be made
   * @throws SystemdException if systemd is out of reach
   */
  public Agent(
      Machine machine,
      AgentSettings settings,
      AgentCoordination coordination,
      Answerer answerer,
      Function<Systemd.Listener, Systemd> connector,
      Function<Systemd, IsolationGuard> guards,
      EventLoop.Factory loops,
      InstantSource clock)
      throws IOException {
    this.machine = machine;
    this.settings = settings;
    this.coordination = coordination;
    this.answerer = answerer;
    this.loop = loops.start("agent", this::endTurn);
    var work = new BackgroundWork(loop);
    this.units = new LocalUnits(work::later);
    var directory = new UnitDirectory(settings.unitsDirectory());
    this.systemd = connector.apply(new SystemdEvents());
    // Their directory outlives a soft reboot.
    this.marks = new Marks(settings.marksDirectory(), systemd.boot(machine.bootId()));
    this.placer = new Placer(systemd, directory, marks);
    this.stateObserver = new UnitStateObserver(units, systemd, placer, marks, work, clock);
    this.reports = new ReportCollector(units, stateObserver::isUnderWay, work);
    this.placements =
        new PlacementBatches(units, systemd, placer, work, reports::add, this::arrived);
    this.isolationControl =
        new IsolationControl(units, marks, guards.apply(systemd), work, loop, settings.ttl());
    var jobs =
        new SystemdJobs(
            systemd, marks, new ForeignUnits(systemd, directory), isolationControl::isSafe);
    this.runner = new UnitRunner(units, jobs, marks, placer, placements, stateObserver, work);
  }

  /**
   * Takes over what an earlier agent placed in this boot, joins the cluster and begins to
   * reconcile.
   *
   * @throws IOException if the marks cannot be read
   * @throws SystemdException if systemd is out of reach
   */
  public void start() throws IOException {
    List<Mark> here = new MarkRecovery(marks, placer, settings.marksDirectory()).recover();
    List<UnitName> names = here.stream().map(Mark::unit).toList();
    systemd.follow(names);
    Map<UnitName, SystemdState> states = systemd.states(names);
    Isolation isolation = machine.isolation();
    loop.post(() -> {
      here.forEach(mark -> adopt(mark, states));
      isolationControl.set(isolation);
    });
    session = coordination.join(machine, new ScheduleEvents(), answerer);
    loop.postEvery(settings.safetyPass(), this::safetyPass);
    loop.postEvery(PlacementBatches.REFUSED_NAMES, () -> placements.lookAtRefused(this::stands));
  }

  private void adopt(Mark mark, Map<UnitName, SystemdState> states) {
    LocalUnit unit = units.getOrAdd(mark.unit(), _ -> mark);
    stateObserver.adopt(unit, states.getOrDefault(mark.unit(), SystemdState.DEAD));
  }

  /** Takes over a changed description of this machine. */
  public void present(Machine changed) {
    loop.post(() -> isolationControl.set(changed.isolation()));
    AgentCoordination.Session joined = session;
    if (joined != null) {
      joined.present(changed);
    }
  }

  /** Whether the agent gets round to new work within the time. */
  public boolean answersWithin(Duration time) throws InterruptedException {
    return loop.answersWithin(time);
  }

  /** The units that are here. */
  public AgentStates states() {
    return loop.call(() -> {
      SortedMap<UnitName, DesiredState> performed = new TreeMap<>();
      units.all().forEach(unit -> performed.put(unit.name(), unit.performed()));
      return new AgentStates(
          schedule.isKnown(),
          performed,
          units.all().stream().flatMap(unit -> unit.reported().stream()).toList(),
          units.all().stream().flatMap(unit -> unit.unreported(machine.id()).stream()).toList());
    });
  }

  /**
   * Until when this machine is in maintenance, as the cluster last said; empty if it is not. The
   * machine of a guard that stops its units has none: the guard does not know of it.
   */
  public Optional<Instant> maintenance() {
    return loop.call(() -> {
      if (!schedule.isKnown()) {
        log.warn("the cluster has not said yet whether this machine is in maintenance");
      }
      return machine.isolation() == Isolation.KEEP ? machine.maintenance() : Optional.empty();
    });
  }

  /**
   * Stops and removes all units that fleet placed here, and tells the cluster that they are gone
   * and that this machine leaves, so that they run elsewhere. Needs systemd; uses the cluster if it
   * is reachable. Afterwards the agent is only good for {@link #close}.
   *
   * <p>Returns when nothing more can be done: a unit that does not stop is killed when for {@link
   * Release#PATIENCE} no other one stopped either, and reported.
   */
  public void release(ReleaseProgress progress) {
    Set<UnitName> left = loop.call(() -> beginRelease(progress)).join();
    if (left.isEmpty()) {
      log.info("all units are stopped and gone");
    } else {
      log.error("still running here while the cluster may run them elsewhere: {}", left);
    }
    leave(left.isEmpty());
    endGuard();
  }

  private CompletableFuture<Set<UnitName>> beginRelease(ReleaseProgress progress) {
    Set<UnitName> present = units.present();
    log.info("stopping and removing {} units, to leave the cluster", present.size());
    var begun = new Release(loop, Release.PATIENCE, progress, present, runner::kill);
    release = begun;
    units.all().forEach(this::tellHowItWas);
    reports.tellAll();
    units.wakeAll();
    return begun.end();
  }

  /**
   * A unit that has ended must not run a second time elsewhere, but one that is stopped here must,
   * and systemd reports both alike: so the agent reports beforehand that this machine gives up the
   * start.
   */
  private void tellHowItWas(LocalUnit unit) {
    if (!units.isBusy(unit.name()) && unit.hasEnded(Release.REST, loop.nanoTime())) {
      unit.keepEnd(machine.id());
    } else {
      unit.giveUp();
      units.changed(unit.name());
    }
  }

  /** The cluster may be unreachable, and then the agent must not wait for it. */
  private void leave(boolean emptied) {
    AgentCoordination.Session joined = session;
    if (joined == null) {
      return;
    }
    var told = new CompletableFuture<Boolean>();
    loop.beside(
        "leave",
        () -> {
          joined.leave(emptied);
          told.complete(true);
        });
    loop.postAfter(LEAVE, () -> told.complete(false));
    if (!told.join()) {
      log.warn("cannot tell the cluster that this machine leaves it; it will notice by itself");
    }
  }

  private void endGuard() {
    CompletableFuture<Boolean> ended = loop.call(isolationControl::end);
    loop.postAfter(LEAVE, () -> ended.complete(false));
    if (!ended.join()) {
      log.warn("cannot end what stops units of an isolated machine: systemd does not answer");
    }
  }

  /** Lets go of the cluster, for the next fleetd to take over; units go on running. */
  @Override
  public void close() {
    AgentCoordination.Session joined = session;
    if (joined != null) {
      joined.close();
    }
    loop.close();
    systemd.close();
  }

  // ---- a turn of the event thread

  private void endTurn() {
    if (connected && (schedule.isKnown() || release != null)) {
      units.takeTouched().forEach(this::reconcile);
    }
    placements.beginBatch();
    if (connected) {
      stateObserver.beginBatch();
    }
    reports.send(machine.id(), session);
    if (release != null) {
      release.see(units.present());
    }
  }

  private void reconcile(UnitName name) {
    if (schedule.isLeftAlone(name) && release == null) {
      return;
    }
    Optional<LocalUnit> unit = units.find(name);
    Optional<ScheduleEntry> wanted = wanted(name);
    if (unit.isEmpty()
        && wanted.filter(entry -> entry.target() == TargetState.STOPPING).isEmpty()) {
      completed.forget(name);
    }
    unit.ifPresent(found -> wanted.ifPresent(found::recall));
    if (unit.filter(LocalUnit::isIncomplete).isPresent()
        && wanted.filter(unit.get()::isToBe).isPresent()) {
      placements.place(wanted.get());
      return;
    }
    switch (Reconciliation.next(wanted, unit.map(LocalUnit::presence))) {
      case Step.Place place -> placements.place(place.entry());
      case Step.Start start -> start(units.get(name), start.restartCounter(), false);
      case Step.Restart restart -> start(units.get(name), restart.restartCounter(), true);
      case Step.Stop _ -> runner.stop(units.get(name));
      case Step.Remove remove -> remove(units.get(name), remove.why());
      case Step.ReportGone gone ->
          reports.add(
              new AgentReport.Gone(
                  name,
                  gone.entry().incarnation(),
                  gone.entry().revision(),
                  completed.contains(gone.entry())));
      case Step.None _ -> {}
    }
  }

  private void start(LocalUnit unit, long restartCounter, boolean again) {
    if (isComing(unit)) {
      early.add(unit.name());
    } else if (isolationControl.allowsStart()) {
      runner.start(unit, restartCounter, again);
    }
  }

  /** Whether a unit that this one names is scheduled here, but not here yet. */
  private boolean isComing(LocalUnit unit) {
    return wanted(unit.name())
        .map(entry -> Dependencies.of(entry.unit(), entry.file()))
        .orElse(Set.of())
        .stream()
        .anyMatch(this::isComing);
  }

  private boolean isComing(UnitName name) {
    return units.find(name).isEmpty()
        && !schedule.isLeftAlone(name)
        && wanted(name)
            .filter(
                entry -> entry.target() != TargetState.STOPPING && !placements.hasRefused(entry))
            .isPresent();
  }

  /** These units have come: others may have waited for them, or failed without them. */
  private void arrived(Set<UnitName> names) {
    stateObserver.placed(names);
    runner.retries().arrived(names);
    lookAtEarly();
  }

  private void lookAtEarly() {
    early.forEach(units::touch);
    early.clear();
  }

  /** While units are released, none is wanted here; units to stop are handled as always. */
  private Optional<ScheduleEntry> wanted(UnitName name) {
    return schedule
        .entry(name)
        .filter(entry -> release == null || entry.target() == TargetState.STOPPING);
  }

  private boolean stands(ScheduleEntry entry) {
    return schedule.entry(entry.unit()).filter(entry::equals).isPresent();
  }

  /** A unit that fleet could not mark may be somebody else's: it is given up, not stopped. */
  private void remove(LocalUnit unit, String why) {
    if (!unit.isMarked()) {
      placements.forget(unit.name());
    } else if (unit.mayHaveEnded(END, loop.nanoTime())) {
      loop.postAfter(END, () -> units.touch(unit.name()));
    } else {
      if (unit.hasEnded(END, loop.nanoTime()) && isolationControl.hasStoppedNothing()) {
        completed.note(unit.mark());
      }
      runner.remove(unit, why);
    }
  }

  private void touchAll() {
    units.touchAll();
    schedule.names().forEach(units::touch);
  }

  private void safetyPass() {
    touchAll();
    stateObserver.safetyPass();
    runner.retries().lookForMissing();
  }

  private final class ScheduleEvents implements ScheduleFollower {
    @Override
    public void snapshot(Machine seen, Collection<ScheduleEntry> entries, Set<UnitName> leftAlone) {
      loop.post(() -> {
        machine = seen;
        schedule.replace(seen, entries, leftAlone).forEach(units::wake);
        runner.retries().scheduleChanged();
        lookAtEarly();
        units.touchAll();
        units.reportAgain();
        isolationControl.scheduleKnown();
      });
    }

    @Override
    public void acknowledged(Duration ago) {
      long saidAt = loop.nanoTime() - ago.toNanos();
      loop.post(() -> isolationControl.acknowledged(saidAt));
    }

    @Override
    public void delta(
        Collection<ScheduleEntry> changed, Set<UnitName> removed, Set<UnitName> leftAlone) {
      loop.post(() -> {
        schedule.change(changed, removed, leftAlone).forEach(units::wake);
        runner.retries().scheduleChanged();
        lookAtEarly();
      });
    }
  }

  private final class SystemdEvents implements Systemd.Listener {
    @Override
    public void changed(UnitName unit, SystemdState state) {
      loop.post(() -> stateObserver.changed(unit, state));
    }

    @Override
    public void reloaded() {
      loop.post(() -> runner.retries().lookForMissing());
    }

    @Override
    public void reconnected() {
      loop.post(() -> {
        log.info("systemd answers again");
        connected = true;
        stateObserver.refreshAll();
        touchAll();
      });
    }

    @Override
    public void disconnected(String why) {
      loop.post(() -> {
        log.warn("systemd does not answer: {}; units go on running", why);
        connected = false;
      });
    }
  }
}
