package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.agent.place.Placer;
import fleet.agent.place.UnitDirectory;
import fleet.agent.reconcile.Reconciliation;
import fleet.agent.reconcile.Step;
import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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

  private final AgentSettings settings;
  private final AgentCoordination coordination;
  private final Answerer answerer;
  private final EventLoop loop;
  private final Systemd systemd;
  private final Marks marks;
  private final Placer placer;
  private final Schedule schedule = new Schedule();
  private final LocalUnits units = new LocalUnits();
  private final List<AgentReport> reports = new ArrayList<>();
  private final Placing placing;
  private final Observing observing;
  private final Running running;
  private boolean connected = true;
  private Machine machine;
  private volatile AgentCoordination.@Nullable Session session;

  /**
   * Connects to systemd; {@link #start} makes the agent work.
   *
   * @throws IOException where its directories cannot be made
   * @throws SystemdException where systemd is out of reach
   */
  public Agent(
      Machine machine,
      AgentSettings settings,
      AgentCoordination coordination,
      Answerer answerer,
      SystemdConnector connector,
      EventLoop.Starter loops)
      throws IOException {
    this.machine = machine;
    this.settings = settings;
    this.coordination = coordination;
    this.answerer = answerer;
    this.marks = new Marks(settings.marksDirectory(), machine.bootId());
    this.loop = loops.start("agent", this::endTurn);
    var directory = new UnitDirectory(settings.unitsDirectory());
    this.systemd = connector.connect(new SystemdEvents());
    this.placer = new Placer(systemd, directory, marks);
    var work = new Work(loop);
    this.placing = new Placing(units, systemd, placer, work, reports::add);
    this.observing = new Observing(units, systemd, placer, marks, work);
    this.running = new Running(units, new Starter(systemd, marks), marks, placing, observing, work);
  }

  /**
   * Takes over what an earlier agent placed in this boot, joins the cluster and begins to
   * reconcile.
   *
   * @throws IOException where the marks cannot be read
   * @throws SystemdException where systemd is out of reach
   */
  public void start() throws IOException {
    Marks.Found found = marks.readAll();
    removeStale(found.stale());
    List<UnitName> names = found.current().stream().map(Mark::unit).toList();
    systemd.follow(names);
    Map<UnitName, SystemdState> states = systemd.states(names);
    loop.post(() -> found.current().forEach(mark -> adopt(mark, states)));
    session = coordination.join(machine, new ScheduleEvents(), answerer);
    loop.postEvery(settings.safetyPass(), this::safetyPass);
    loop.postEvery(Placing.REFUSED_NAMES, placing::lookAtRefused);
  }

  private void removeStale(List<Mark> stale) {
    if (!stale.isEmpty()) {
      List<UnitName> names = stale.stream().map(Mark::unit).toList();
      log.info("removing what was placed before this boot: {}", names);
      placer.remove(names).forEach((unit, why) -> log.warn("{}: {}", unit, why));
    }
  }

  private void adopt(Mark mark, Map<UnitName, SystemdState> states) {
    LocalUnit unit = units.getOrAdd(mark.unit(), _ -> mark);
    observing.adopt(unit, states.getOrDefault(mark.unit(), SystemdState.DEAD));
  }

  /** Takes over a changed description of this machine. */
  public void present(Machine changed) {
    AgentCoordination.Session joined = session;
    if (joined != null) {
      joined.present(changed);
    }
  }

  /** Whether the agent gets round to new work within the time. */
  public boolean answersWithin(Duration time) throws InterruptedException {
    return loop.answersWithin(time);
  }

  /** The units that are here, and how far the agent has got with each. */
  public SortedMap<UnitName, DesiredState> performed() {
    return loop.call(() -> {
      SortedMap<UnitName, DesiredState> performed = new TreeMap<>();
      units.all().forEach(unit -> performed.put(unit.name(), unit.performed()));
      return performed;
    });
  }

  /** Leaves the cluster; units go on running. */
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
    if (connected && schedule.isKnown()) {
      units.takeTouched().forEach(this::reconcile);
    }
    placing.beginBatch();
    if (connected) {
      observing.beginBatch();
    }
    units.takeNews(machine.id()).forEach(state -> reports.add(new AgentReport.Stated(state)));
    AgentCoordination.Session joined = session;
    if (joined != null && !reports.isEmpty()) {
      joined.report(reports);
      reports.clear();
    }
  }

  private void reconcile(UnitName name) {
    Optional<LocalUnit> unit = units.find(name);
    Optional<ScheduleEntry> wanted = schedule.entry(name);
    if (unit.filter(LocalUnit::isIncomplete).isPresent()
        && wanted.filter(unit.get()::isToBe).isPresent()) {
      placing.place(wanted.get());
      return;
    }
    switch (Reconciliation.next(wanted, unit.map(LocalUnit::presence))) {
      case Step.Place place -> placing.place(place.entry());
      case Step.Start start -> running.start(units.get(name), start.restartCounter(), false);
      case Step.Restart restart -> running.start(units.get(name), restart.restartCounter(), true);
      case Step.Stop _ -> running.stop(units.get(name));
      case Step.Remove remove -> remove(units.get(name), remove.why());
      case Step.ReportGone gone ->
          reports.add(
              new AgentReport.Gone(name, gone.entry().incarnation(), gone.entry().revision()));
      case Step.None _ -> {}
    }
  }

  /** A name that fleet could not mark may be somebody else's: it is let go, and not stopped. */
  private void remove(LocalUnit unit, String why) {
    if (unit.isMarked()) {
      running.remove(unit, why);
    } else {
      placing.forget(unit.name());
    }
  }

  private void touchAll() {
    units.touchAll();
    schedule.names().forEach(units::touch);
  }

  private void safetyPass() {
    touchAll();
    observing.safetyPass();
  }

  private final class ScheduleEvents implements ScheduleFollower {
    @Override
    public void snapshot(Machine seen, Collection<ScheduleEntry> entries) {
      loop.post(() -> {
        machine = seen;
        schedule.replace(seen, entries).forEach(units::wake);
        units.touchAll();
        units.reportAnew();
      });
    }

    @Override
    public void acknowledged(Duration ago) {}

    @Override
    public void delta(Collection<ScheduleEntry> changed, Set<UnitName> removed) {
      loop.post(() -> schedule.change(changed, removed).forEach(units::wake));
    }
  }

  private final class SystemdEvents implements Systemd.Listener {
    @Override
    public void changed(UnitName unit, SystemdState state) {
      loop.post(() -> observing.changed(unit, state));
    }

    @Override
    public void reconnected() {
      loop.post(() -> {
        log.info("systemd answers again");
        connected = true;
        observing.refreshAll();
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
