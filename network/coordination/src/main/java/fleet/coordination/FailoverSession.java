package fleet.coordination;

import fleet.coordination.FailoverCoordination.Prospect;
import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A machine's membership over one of two transports. While it uses the other one, it keeps trying
 * the preferred one, and goes back once the same schedule arrives there: either may lag, and a unit
 * that has just come must not count as one that has left. If the other one is silent for long, the
 * preferred one is newer. Safe for use by many threads.
 */
final class FailoverSession implements AgentCoordination.Session {

  private static final Logger log = LoggerFactory.getLogger(FailoverSession.class);

  /** Making an identity takes seconds on a busy machine. */
  private static final Duration LONGEST_PREPARATION = Duration.ofSeconds(30);

  private static final Duration PREPARATION_LOOK = Duration.ofMillis(200);

  private final EventLoop loop;
  private final FailoverCoordination.AgentTransport preferredTransport;
  private final FailoverCoordination.AgentTransport otherTransport;
  private final Duration patience;
  private final FailoverCoordination.Observer observer;
  private final ScheduleFollower follower;
  private final Answerer answerer;
  private final LatestReports said = new LatestReports(this::isScheduled);
  private final AtomicBoolean open = new AtomicBoolean(true);
  private Machine machine;
  private Attempt preferred;
  private Optional<Attempt> other = Optional.empty();
  private final long began;
  private long lastContact;
  private boolean considering;
  private boolean prepared;
  private boolean over;

  FailoverSession(
      EventLoop loop,
      FailoverCoordination.AgentTransport preferredTransport,
      FailoverCoordination.AgentTransport otherTransport,
      Duration patience,
      FailoverCoordination.Observer observer,
      Machine machine,
      ScheduleFollower follower,
      Answerer answerer) {
    this.loop = loop;
    this.preferredTransport = preferredTransport;
    this.otherTransport = otherTransport;
    this.patience = patience;
    this.observer = observer;
    this.machine = machine;
    this.follower = follower;
    this.answerer = answerer;
    this.preferred = new Attempt(preferredTransport);
    this.began = loop.nanoTime();
    this.lastContact = began;
    look();
    loop.beside("looking whether the machine is there", this::recall);
  }

  // ---- at first

  /** A machine that used the other transport a moment ago must not go missing there meanwhile. */
  private void recall() {
    if (otherTransport.remembers().test(machine)) {
      loop.post(() -> {
        if (!over && other.isEmpty() && !preferred.told.isComplete()) {
          log.info("coordination: this machine is in {} from before", otherTransport.name());
          takeOther();
        }
      });
    }
  }

  /**
   * No failover while this process is still starting: only an asked leader can tell of another
   * machine with this id.
   */
  private boolean isPreparing() {
    prepared |= preferredTransport.prospect().get() != Prospect.UNPREPARED;
    return !prepared && loop.nanoTime() - began < LONGEST_PREPARATION.toNanos();
  }

  // ---- which transport

  private void lookAfter(Duration delay) {
    loop.postAfter(delay, this::look);
  }

  private void look() {
    if (over || other.isPresent()) {
      return;
    }
    if (isPreparing()) {
      lastContact = loop.nanoTime();
      lookAfter(PREPARATION_LOOK);
      return;
    }
    Duration silence = Duration.ofNanos(loop.nanoTime() - lastContact);
    Duration left = longestSilence().minus(silence);
    Duration early = preferred.told.isComplete() ? patience.dividedBy(2) : Duration.ZERO;
    boolean isOpen = preferredTransport.prospect().get() != Prospect.NONE;
    if (left.isPositive() && (isOpen || silence.compareTo(early) < 0)) {
      Duration soon = silence.compareTo(early) < 0 ? early.minus(silence) : PREPARATION_LOOK;
      lookAfter(soon.compareTo(left) < 0 ? soon : left);
      return;
    }
    if (isOpen) {
      log.warn(
          "coordination: no answer over {} for {} s; using {} until there is one",
          preferredTransport.name(),
          longestSilence().toMillis() / 1000.0,
          otherTransport.name());
    } else {
      log.info(
          "coordination: no leader answers over {}; using {} meanwhile",
          preferredTransport.name(),
          otherTransport.name());
    }
    Attempt silent = preferred;
    preferred = new Attempt(preferredTransport);
    letGo(silent);
    takeOther();
  }

  private void takeOther() {
    other = Optional.of(new Attempt(otherTransport));
    observer.taken(true);
  }

  /**
   * The failover happens before this machine is given up: the leader does that after all of the
   * time, an isolation guard stops units after two thirds.
   */
  private Duration longestSilence() {
    return machine.isolation() == Isolation.STOP
        ? patience.dividedBy(2)
        : patience.multipliedBy(2).dividedBy(3);
  }

  /** Goes back to the preferred transport if it works and does not lag. */
  private void considerReturn() {
    if (over || other.isEmpty() || !preferred.isHeard()) {
      return;
    }
    Attempt former = other.get();
    if (!former.told.isComplete()
        || preferred.told.agreesWith(former.told)
        || (preferred.hasStoodFor(patience) && former.hasNoNewsFor(patience))) {
      back(former);
    } else {
      considerReturnLater();
    }
  }

  private void considerReturnLater() {
    if (!considering) {
      considering = true;
      loop.postAfter(
          patience.dividedBy(2),
          () -> {
            considering = false;
            considerReturn();
          });
    }
  }

  /** The preferred transport works. */
  private void back(Attempt former) {
    log.info(
        "coordination: {} answers again; leaving {}",
        preferredTransport.name(),
        otherTransport.name());
    other = Optional.empty();
    observer.taken(false);
    lastContact = loop.nanoTime();
    preferred.told.passOn(follower);
    loop.beside(
        "leaving a way of coordination",
        () -> {
          // The record of this machine over the former transport no longer counts.
          former.session.moveOn();
          // Not earlier: a late farewell would end a stay that has begun there meanwhile.
          loop.post(this::look);
        });
  }

  private void letGo(Attempt attempt) {
    loop.beside("leaving a way of coordination", attempt.session::close);
  }

  private Attempt active() {
    return other.orElse(preferred);
  }

  /** A unit may also be in a schedule that has not arrived yet. */
  private boolean isScheduled(UnitName unit) {
    DeliveredSchedule told = active().told;
    return !told.isComplete() || told.has(unit);
  }

  // ---- what the agent says

  @Override
  public void report(List<AgentReport> reports) {
    List<AgentReport> kept = List.copyOf(reports);
    loop.post(() -> {
      said.report(kept);
      said.sent(said.take(Integer.MAX_VALUE));
      preferred.session.report(kept);
      other.ifPresent(attempt -> attempt.session.report(kept));
    });
  }

  @Override
  public void present(Machine changed) {
    loop.post(() -> {
      machine = changed;
      preferred.session.present(changed);
      other.ifPresent(attempt -> attempt.session.present(changed));
    });
  }

  @Override
  public void leave(boolean emptied) {
    end(session -> session.leave(emptied));
  }

  @Override
  public void close() {
    end(AgentCoordination.Session::close);
  }

  private interface End {
    void of(AgentCoordination.Session session);
  }

  private void end(End end) {
    if (!open.compareAndSet(true, false)) {
      return;
    }
    List<AgentCoordination.Session> sessions =
        loop.call(() -> {
          over = true;
          return other
              .map(attempt -> List.of(preferred.session, attempt.session))
              .orElseGet(() -> List.of(preferred.session));
        });
    loop.close();
    // The active one is the last.
    sessions.subList(0, sessions.size() - 1).forEach(AgentCoordination.Session::close);
    end.of(sessions.getLast());
  }

  /** One membership over one transport; its events are passed on while it is the active one. */
  private final class Attempt implements ScheduleFollower {
    private final AgentCoordination.Session session;
    private final DeliveredSchedule told = new DeliveredSchedule();
    private long lastNews = loop.nanoTime();
    private long lastHeard = lastNews;

    /** The time of the report that was acknowledged before the schedule came. */
    private Optional<Long> acknowledgedEarly = Optional.empty();

    Attempt(FailoverCoordination.AgentTransport transport) {
      session = transport.coordination().join(machine, this, answerer);
      if (!said.all().isEmpty()) {
        session.report(said.all());
      }
    }

    private boolean isActive() {
      return !over && equals(active());
    }

    @Override
    public void snapshot(Machine seen, Collection<ScheduleEntry> entries, Set<UnitName> leftAlone) {
      List<ScheduleEntry> kept = List.copyOf(entries);
      Set<UnitName> alone = OrderedCopy.of(leftAlone);
      loop.post(() -> {
        told.snapshot(seen, kept, alone);
        if (isActive()) {
          lastContact = loop.nanoTime();
          said.scheduleChanged(said.all().stream().map(AgentReport::unit).toList());
          follower.snapshot(seen, kept, alone);
          acknowledgedEarly.ifPresent(this::passOn);
        }
        acknowledgedEarly = Optional.empty();
        news();
      });
    }

    private void news() {
      lastNews = loop.nanoTime();
      lastHeard = lastNews;
      considerReturn();
    }

    /** Whether its schedule has come, and it is still in touch. */
    boolean isHeard() {
      return told.isComplete() && since(lastHeard).compareTo(patience) < 0;
    }

    /** Whether it has been silent for a given time. */
    boolean hasNoNewsFor(Duration time) {
      return since(lastNews).compareTo(time) >= 0;
    }

    /**
     * Whether it was in contact for a given time without changes. Silence does not count: an
     * isolated leader may have missed decisions.
     */
    boolean hasStoodFor(Duration time) {
      return lastHeard - lastNews >= time.toNanos();
    }

    private Duration since(long moment) {
      return Duration.ofNanos(loop.nanoTime() - moment);
    }

    /** The follower has the schedule of the former transport, and gets this one first. */
    @Override
    public void acknowledged(Duration ago) {
      long saidAt = loop.nanoTime() - ago.toNanos();
      loop.post(() -> {
        lastHeard = loop.nanoTime();
        considerReturn();
        if (isActive()) {
          lastContact = loop.nanoTime();
          if (told.isComplete()) {
            passOn(saidAt);
          } else {
            acknowledgedEarly = Optional.of(saidAt);
          }
        }
      });
    }

    private void passOn(long saidAt) {
      follower.acknowledged(Duration.ofNanos(loop.nanoTime() - saidAt));
    }

    @Override
    public void delta(
        Collection<ScheduleEntry> changed, Set<UnitName> removed, Set<UnitName> leftAlone) {
      List<ScheduleEntry> kept = List.copyOf(changed);
      Set<UnitName> gone = OrderedCopy.of(removed);
      Set<UnitName> alone = OrderedCopy.of(leftAlone);
      loop.post(() -> {
        told.delta(kept, gone, alone);
        if (isActive()) {
          said.scheduleChanged(gone);
          follower.delta(kept, gone, alone);
        }
        news();
      });
    }

    @Override
    public void occupied() {
      loop.post(() -> {
        if (equals(preferred)) {
          lastContact = loop.nanoTime();
        }
        if (isActive()) {
          follower.occupied();
        }
      });
    }
  }
}
