package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.agent.place.Placer;
import fleet.agent.place.UnitDirectory;
import fleet.agent.reconcile.Reconciliation;
import fleet.agent.reconcile.Step;
import fleet.coordination.AgentCoordination;
import fleet.coordination.AgentReport;
import fleet.coordination.Answerer;
import fleet.coordination.EventThread;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the systemd of this machine match its schedule.
 *
 * <p>One event thread owns what is known of the units here; what waits for systemd or the disk runs
 * on threads of its own and comes back as an event. A unit has at most one piece of work under way.
 * Whatever an event has touched is reconciled at the end of its turn, so that many events become
 * one batch; a slow safety pass looks at everything and should find nothing.
 *
 * <p>It never touches a unit without its mark. Being stopped leaves all units running.
 */
public final class Agent implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Agent.class);
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration REFUSED_NAMES = Duration.ofSeconds(10);

  private final AgentSettings settings;
  private final AgentCoordination coordination;
  private final Answerer answerer;
  private final EventThread thread;
  private final Systemd systemd;
  private final Marks marks;
  private final Placer placer;
  private final Starter starter;
  private final Schedule schedule = new Schedule();

  private final Map<UnitName, LocalUnit> units = new HashMap<>();
  private final Map<UnitName, ScheduleEntry> refused = new HashMap<>();
  private final Set<UnitName> busy = new HashSet<>();
  private final Set<UnitName> dirty = new LinkedHashSet<>();
  private final Set<UnitName> toRefresh = new HashSet<>();
  private final Set<UnitName> settled = new HashSet<>();
  private final Set<UnitName> stopped = new LinkedHashSet<>();
  private final Set<UnitName> toReport = new LinkedHashSet<>();
  private final List<ScheduleEntry> toPlace = new ArrayList<>();
  private final List<AgentReport> reports = new ArrayList<>();
  private boolean placing;
  private boolean refreshing;
  private boolean connected = true;
  private Machine machine;
  private AgentCoordination.@Nullable Session session;

  /**
   * Takes over what an earlier agent placed in this boot; {@link #start} makes it join the cluster.
   *
   * @throws IOException where its directories cannot be made or read
   * @throws SystemdException where systemd is out of reach
   */
  public Agent(
      Machine machine,
      AgentSettings settings,
      AgentCoordination coordination,
      Answerer answerer,
      SystemdConnector connector)
      throws IOException {
    this.machine = machine;
    this.settings = settings;
    this.coordination = coordination;
    this.answerer = answerer;
    this.marks = new Marks(settings.marksDirectory(), machine.bootId());
    var directory = new UnitDirectory(settings.unitsDirectory());
    this.thread = new EventThread("agent", this::reconcile);
    this.systemd = connector.connect(new SystemdEvents());
    this.placer = new Placer(systemd, directory, marks);
    this.starter = new Starter(systemd, marks);
  }

  /** Recovers, joins the cluster and begins to reconcile. */
  public void start() throws IOException {
    Marks.Found found = marks.readAll();
    for (Mark stale : found.stale()) {
      log.info("{} was placed before this boot; its file is removed", stale.unit());
      placer.remove(List.of(stale.unit()));
    }
    Map<UnitName, SystemdState> states =
        systemd.states(found.current().stream().map(Mark::unit).toList());
    systemd.follow(found.current().stream().map(Mark::unit).toList());
    thread.call(() -> {
      found.current().forEach(mark -> adopt(mark, states));
      return null;
    });
    session = coordination.join(machine, new ScheduleEvents(), answerer);
    thread.postEvery(settings.safetyPass(), this::safetyPass);
    thread.postEvery(REFUSED_NAMES, this::lookAtRefused);
  }

  /** Takes over a changed description of this machine. */
  public void present(Machine changed) {
    if (session != null) {
      session.present(changed);
    }
  }

  /** Whether the agent gets round to new work within the time. */
  public boolean answersWithin(Duration time) throws InterruptedException {
    return thread.answersWithin(time);
  }

  /** The units that are here, and how far the agent has got with each. */
  public SortedMap<UnitName, DesiredState> performed() {
    return thread.call(() -> {
      SortedMap<UnitName, DesiredState> performed = new TreeMap<>();
      units.forEach((name, unit) -> performed.put(name, unit.performed()));
      return performed;
    });
  }

  /** Leaves the cluster; units go on running. */
  @Override
  public void close() {
    if (session != null) {
      session.close();
    }
    thread.close();
    systemd.close();
  }

  // ---- recovery

  private void adopt(Mark mark, Map<UnitName, SystemdState> states) {
    var unit = new LocalUnit(mark);
    unit.systemd(states.getOrDefault(mark.unit(), SystemdState.DEAD));
    unit.incomplete(!placer.isIntact(mark));
    units.put(mark.unit(), unit);
    if (mark.started().isPresent() && !mark.confirmed()) {
      settleUnconfirmedStart(unit);
    }
    if (!unit.systemd().isChanging()) {
      unit.startSettled();
    }
    log.info("found {} {} as fleet left it", mark.unit(), unit.systemd().active());
  }

  /**
   * fleetd ended between asking for a start and noting that systemd took it. What systemd shows
   * decides; where it shows nothing, the unit is started again, unless it is of the kind that must
   * not run twice.
   */
  private void settleUnconfirmedStart(LocalUnit unit) {
    SystemdState state = unit.systemd();
    boolean ran = !state.active().equals("inactive") || !state.invocation().isEmpty();
    if (ran) {
      unit.mark(unit.mark().startConfirmed());
    } else if (placer.isOneshot(unit.name())) {
      unit.mark(unit.mark().startConfirmed());
      unit.problem(
          "fleetd ended while it was being started, and it may have run; to run it (again):"
              + " fleetctl restart "
              + unit.name());
    } else {
      unit.mark(unit.mark().stopped());
    }
  }

  // ---- reconciling

  /** Ends a turn of the event thread: acts on all units that events have touched. */
  private void reconcile() {
    if (connected && schedule.isKnown()) {
      List<UnitName> touched = List.copyOf(dirty);
      dirty.clear();
      touched.stream().filter(unit -> !busy.contains(unit)).forEach(this::reconcile);
    }
    placeBatch();
    removeBatch();
    refreshBatch();
    sendReports();
  }

  private void reconcile(UnitName name) {
    LocalUnit unit = units.get(name);
    Optional<ScheduleEntry> wanted = schedule.entry(name);
    if (unit != null && unit.isIncomplete() && wanted.filter(unit::isToBe).isPresent()) {
      place(wanted.get());
      return;
    }
    Step step = Reconciliation.next(wanted, Optional.ofNullable(unit).map(LocalUnit::presence));
    switch (step) {
      case Step.Place place -> placeUnlessRefused(place.entry());
      case Step.Start start -> start(units(name), start.restartCounter(), false);
      case Step.Restart restart -> start(units(name), restart.restartCounter(), true);
      case Step.Stop stop -> stop(units(name));
      case Step.Remove remove -> remove(units(name), remove.why());
      case Step.ReportGone gone -> reports.add(new AgentReport.Gone(name, gone.incarnation()));
      case Step.None none -> {}
    }
  }

  private LocalUnit units(UnitName name) {
    LocalUnit unit = units.get(name);
    if (unit == null) {
      throw new IllegalStateException(name + " is not here");
    }
    return unit;
  }

  private void placeUnlessRefused(ScheduleEntry entry) {
    ScheduleEntry before = refused.get(entry.unit());
    if (before == null || !before.equals(entry)) {
      place(entry);
    }
  }

  private void place(ScheduleEntry entry) {
    busy.add(entry.unit());
    toPlace.add(entry);
  }

  private void placeBatch() {
    if (placing || toPlace.isEmpty()) {
      return;
    }
    placing = true;
    List<ScheduleEntry> batch = List.copyOf(toPlace);
    toPlace.clear();
    Set<UnitName> own = Set.copyOf(units.keySet());
    work(
        () -> {
          var outcomes = placer.place(batch, own);
          var placed =
              batch.stream()
                  .map(ScheduleEntry::unit)
                  .filter(unit -> outcomes.get(unit) instanceof Placer.Outcome.Placed)
                  .toList();
          systemd.follow(placed);
          return outcomes;
        },
        outcomes -> batch.forEach(entry -> placed(entry, outcomes.get(entry.unit()))),
        fault -> batch.forEach(entry -> placed(entry, new Placer.Outcome.Failed(reason(fault)))),
        () -> {
          placing = false;
          batch.forEach(entry -> done(entry.unit()));
        });
  }

  private void placed(ScheduleEntry entry, Placer.@Nullable Outcome outcome) {
    UnitName name = entry.unit();
    switch (outcome) {
      case Placer.Outcome.Placed placed -> {
        log.info("placed {} ({})", name, placed.mark().hash().substring(0, 7));
        refused.remove(name);
        LocalUnit before = units.get(name);
        LocalUnit unit = before == null ? new LocalUnit(placed.mark()) : before;
        if (before == null) {
          units.put(name, unit);
        } else {
          unit.incomplete(false);
          unit.problem("");
        }
      }
      case Placer.Outcome.Refused refusal -> {
        String why = "systemd knows " + name + " from " + refusal.where();
        log.warn("refused {}: {}", name, why);
        refused.put(name, entry);
        reports.add(new AgentReport.Refused(name, entry.incarnation(), why));
      }
      case Placer.Outcome.Failed failed -> placeFailed(entry, failed.why());
      case null -> placeFailed(entry, "it was passed over");
    }
  }

  private void placeFailed(ScheduleEntry entry, String why) {
    log.error("cannot place {}: {}; trying again", entry.unit(), why);
    LocalUnit unit =
        units.computeIfAbsent(
            entry.unit(),
            name -> new LocalUnit(Mark.placed(name, entry.incarnation(), entry.file().hash())));
    unit.incomplete(true);
    unit.problem(why);
    retry(entry.unit());
  }

  private void retry(UnitName name) {
    thread.postAfter(RETRY, () -> dirty.add(name));
  }

  private void start(LocalUnit unit, long restartCounter, boolean again) {
    UnitName name = unit.name();
    Mark before = unit.mark();
    Mark starting = before.starting(restartCounter);
    unit.mark(starting);
    unit.problem("");
    busy.add(name);
    log.info("{} {}", again ? "restarting" : "starting", name);
    work(
        () -> starter.start(starting, again),
        problem -> {
          if (!problem.isEmpty()) {
            log.warn("{}: {}", name, problem);
          }
          unit.problem(problem);
          unit.mark(starting.startConfirmed());
          settled.add(name);
          toRefresh.add(name);
        },
        fault -> startFailed(unit, before, fault),
        () -> done(name));
  }

  /**
   * Where the connection broke in the middle, what systemd shows once it is back decides. Anything
   * else went wrong before systemd was asked.
   */
  private void startFailed(LocalUnit unit, Mark before, Exception fault) {
    unit.problem("cannot start it: " + reason(fault));
    log.warn("{}: {}", unit.name(), unit.problem());
    if (fault instanceof SystemdException lost && lost.isConnectionLost()) {
      toRefresh.add(unit.name());
    } else {
      unit.mark(before);
      retry(unit.name());
    }
  }

  private void stop(LocalUnit unit) {
    UnitName name = unit.name();
    Mark afterwards = unit.mark().stopped();
    busy.add(name);
    log.info("stopping {}", name);
    work(
        () -> {
          String problem = starter.stop(name);
          if (problem.isEmpty()) {
            marks.write(afterwards);
          }
          return problem;
        },
        problem -> {
          unit.problem(problem);
          if (problem.isEmpty()) {
            unit.mark(afterwards);
            unit.forgetStart();
          } else {
            log.warn("{}: {}; trying again", name, problem);
            retry(name);
          }
          toRefresh.add(name);
        },
        fault -> failed(unit, "cannot stop it: " + reason(fault)),
        () -> done(name));
  }

  private void remove(LocalUnit unit, String why) {
    UnitName name = unit.name();
    busy.add(name);
    log.info("stopping {} to remove it: {}", name, why);
    work(
        () -> starter.stop(name),
        problem -> {
          unit.problem(problem);
          if (problem.isEmpty()) {
            stopped.add(name);
          } else {
            log.warn("{}: {}; trying again", name, problem);
            retry(name);
            done(name);
          }
        },
        fault -> {
          failed(unit, "cannot stop it: " + reason(fault));
          done(name);
        },
        () -> {});
  }

  private void removeBatch() {
    if (placing || stopped.isEmpty()) {
      return;
    }
    placing = true;
    List<UnitName> batch = List.copyOf(stopped);
    stopped.clear();
    work(
        () -> {
          Map<UnitName, String> remaining = placer.remove(batch);
          systemd.unfollow(batch.stream().filter(unit -> !remaining.containsKey(unit)).toList());
          return remaining;
        },
        remaining -> batch.forEach(unit -> removed(units(unit), remaining.get(unit))),
        fault -> batch.forEach(unit -> failed(units(unit), "cannot remove it: " + reason(fault))),
        () -> {
          placing = false;
          batch.forEach(this::done);
        });
  }

  private void removed(LocalUnit unit, @Nullable String problem) {
    if (problem != null) {
      failed(unit, problem);
      return;
    }
    log.info("removed {}", unit.name());
    units.remove(unit.name());
    reports.add(new AgentReport.Gone(unit.name(), unit.mark().incarnation()));
  }

  private void failed(LocalUnit unit, String why) {
    log.warn("{}: {}; trying again", unit.name(), why);
    unit.problem(why);
    retry(unit.name());
  }

  private void done(UnitName name) {
    busy.remove(name);
    dirty.add(name);
    toReport.add(name);
  }

  // ---- states

  /** Reads again the states of units whose job has ended, all in one call. */
  private void refreshBatch() {
    if (refreshing || toRefresh.isEmpty() || !connected) {
      return;
    }
    refreshing = true;
    Set<UnitName> batch = Set.copyOf(toRefresh);
    Set<UnitName> settling = Set.copyOf(settled);
    toRefresh.clear();
    settled.clear();
    work(
        () -> systemd.states(batch),
        states -> {
          states.forEach(this::changed);
          batch.forEach(this::settleUnconfirmed);
          settling.forEach(this::settle);
        },
        fault -> {
          log.warn("cannot read the states of {} units: {}", batch.size(), reason(fault));
          settled.addAll(settling);
          thread.postAfter(RETRY, () -> toRefresh.addAll(batch));
        },
        () -> refreshing = false);
  }

  private void settleUnconfirmed(UnitName name) {
    LocalUnit unit = units.get(name);
    if (unit != null
        && !busy.contains(name)
        && unit.mark().started().isPresent()
        && !unit.mark().confirmed()) {
      settleUnconfirmedStart(unit);
      dirty.add(name);
    }
  }

  private void settle(UnitName name) {
    LocalUnit unit = units.get(name);
    if (unit != null) {
      unit.startSettled();
      toReport.add(name);
    }
  }

  private void changed(UnitName name, SystemdState state) {
    LocalUnit unit = units.get(name);
    if (unit == null) {
      return;
    }
    unit.systemd(state);
    toReport.add(name);
    if (!unit.isStartSettled() && !busy.contains(name) && !state.isChanging()) {
      unit.startSettled();
    }
  }

  private void sendReports() {
    for (UnitName name : toReport) {
      LocalUnit unit = units.get(name);
      UnitState news = unit == null ? null : unit.news(machine.id());
      if (news != null) {
        reports.add(new AgentReport.Stated(news));
      }
    }
    toReport.clear();
    if (session != null && !reports.isEmpty()) {
      session.report(reports);
      reports.clear();
    }
  }

  // ---- safety

  /** Looks at everything as if no event had ever come; it should find nothing. */
  private void safetyPass() {
    dirty.addAll(units.keySet());
    dirty.addAll(schedule.names());
    Set<UnitName> names = Set.copyOf(units.keySet());
    work(
        () -> systemd.states(names),
        states -> states.forEach(this::compare),
        fault -> log.warn("safety pass: {}", reason(fault)),
        () -> {});
  }

  /** Nobody tells when a foreign unit is gone, so names that were refused are looked at. */
  private void lookAtRefused() {
    if (refused.isEmpty()) {
      return;
    }
    Set<UnitName> names = Set.copyOf(refused.keySet());
    work(
        () -> placer.taken(names),
        taken -> names.stream().filter(name -> !taken.contains(name)).forEach(this::freed),
        fault -> log.debug("refused names: {}", reason(fault)),
        () -> {});
  }

  private void freed(UnitName name) {
    if (refused.remove(name) != null) {
      log.info("{} is no longer taken by somebody else", name);
      reports.add(new AgentReport.Freed(name));
      dirty.add(name);
    }
  }

  private void compare(UnitName name, SystemdState state) {
    LocalUnit unit = units.get(name);
    if (unit == null || busy.contains(name)) {
      return;
    }
    if (!unit.systemd().equals(state)) {
      log.warn("safety pass: {} is {} and was believed {}", name, state, unit.systemd());
      changed(name, state);
    }
    if (!placer.isIntact(unit.mark())) {
      log.warn("safety pass: the file of {} is not as it was placed; placing it again", name);
      unit.incomplete(true);
      dirty.add(name);
    }
  }

  // ---- work

  /** Has something done on a thread of its own, and what follows on the event thread. */
  private <T> void work(
      Callable<T> task, Consumer<T> success, Consumer<Exception> failure, Runnable after) {
    Thread.ofVirtual()
        .name("agent-work")
        .start(() -> {
          try {
            T result = task.call();
            thread.post(() -> success.accept(result));
          } catch (Exception e) {
            thread.post(() -> failure.accept(e));
          } finally {
            thread.post(after);
          }
        });
  }

  private static String reason(Exception fault) {
    return fault.getMessage() == null ? fault.toString() : fault.getMessage();
  }

  private final class ScheduleEvents implements ScheduleFollower {
    @Override
    public void snapshot(Machine seen, Collection<ScheduleEntry> entries) {
      thread.post(() -> {
        machine = seen;
        dirty.addAll(schedule.replace(seen, entries));
        dirty.addAll(units.keySet());
        units.values().forEach(LocalUnit::reportAnew);
        toReport.addAll(units.keySet());
      });
    }

    @Override
    public void delta(Collection<ScheduleEntry> changed, Set<UnitName> removed) {
      thread.post(() -> dirty.addAll(schedule.change(changed, removed)));
    }
  }

  private final class SystemdEvents implements Systemd.Listener {
    @Override
    public void changed(UnitName unit, SystemdState state) {
      thread.post(() -> Agent.this.changed(unit, state));
    }

    @Override
    public void reconnected() {
      thread.post(() -> {
        log.info("systemd answers again");
        connected = true;
        toRefresh.addAll(units.keySet());
        dirty.addAll(units.keySet());
        dirty.addAll(schedule.names());
      });
    }

    @Override
    public void disconnected(String why) {
      thread.post(() -> {
        log.warn("systemd does not answer: {}; units go on running", why);
        connected = false;
      });
    }
  }
}
