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
 * A machine's membership in one of two ways at a time. While it is in the other one, it goes on
 * trying the one that it prefers, and is back once the same schedule comes there: either may be
 * behind the other, and a unit that has just come must not be taken for one that has left. If the
 * other says nothing for long, what the preferred one has said since is newer. Safe for use by many
 * threads.
 */
final class FailoverSession implements AgentCoordination.Session {

  private static final Logger log = LoggerFactory.getLogger(FailoverSession.class);

  /** Making an identity takes seconds on a busy machine. */
  private static final Duration LONGEST_PREPARATION = Duration.ofSeconds(30);

  private static final Duration PREPARATION_LOOK = Duration.ofMillis(200);

  private final EventLoop loop;
  private final FailoverCoordination.AgentTransport preferredWay;
  private final FailoverCoordination.AgentTransport otherWay;
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
      FailoverCoordination.AgentTransport preferredWay,
      FailoverCoordination.AgentTransport otherWay,
      Duration patience,
      FailoverCoordination.Observer observer,
      Machine machine,
      ScheduleFollower follower,
      Answerer answerer) {
    this.loop = loop;
    this.preferredWay = preferredWay;
    this.otherWay = otherWay;
    this.patience = patience;
    this.observer = observer;
    this.machine = machine;
    this.follower = follower;
    this.answerer = answerer;
    this.preferred = new Attempt(preferredWay);
    this.began = loop.nanoTime();
    this.lastContact = began;
    look();
    loop.beside("looking whether the machine is there", this::recall);
  }

  // ---- at first

  /** A machine that was in the other way a moment ago must not be missed there meanwhile. */
  private void recall() {
    if (otherWay.remembers().test(machine)) {
      loop.post(() -> {
        if (!over && other.isEmpty() && !preferred.told.isComplete()) {
          log.info("coordination: this machine is in {} from before", otherWay.name());
          takeOther();
        }
      });
    }
  }

  /**
   * Nobody takes the other way because this process is still busy with itself: only who was asked
   * can say that another machine has this one's id.
   */
  private boolean isPreparing() {
    prepared |= preferredWay.prospect().get() != Prospect.UNPREPARED;
    return !prepared && loop.nanoTime() - began < LONGEST_PREPARATION.toNanos();
  }

  // ---- which way

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
    boolean isOpen = preferredWay.prospect().get() != Prospect.NONE;
    if (left.isPositive() && (isOpen || silence.compareTo(early) < 0)) {
      Duration soon = silence.compareTo(early) < 0 ? early.minus(silence) : PREPARATION_LOOK;
      lookAfter(soon.compareTo(left) < 0 ? soon : left);
      return;
    }
    if (isOpen) {
      log.warn(
          "coordination: no answer over {} for {} s; going on through {} until there is one",
          preferredWay.name(),
          longestSilence().toMillis() / 1000.0,
          otherWay.name());
    } else {
      log.info(
          "coordination: nobody is to be reached over {}; going on through {} meanwhile",
          preferredWay.name(),
          otherWay.name());
    }
    Attempt silent = preferred;
    preferred = new Attempt(preferredWay);
    letGo(silent);
    takeOther();
  }

  private void takeOther() {
    other = Optional.of(new Attempt(otherWay));
    observer.taken(true);
  }

  /**
   * The other way is taken before this machine is given up: after all of the time by the leader,
   * and after two thirds of it by an isolation guard that stops units.
   */
  private Duration longestSilence() {
    return machine.isolation() == Isolation.STOP
        ? patience.dividedBy(2)
        : patience.multipliedBy(2).dividedBy(3);
  }

  /** Goes back to the preferred way if that works, and if it is no step back in time. */
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

  /** The preferred way works. */
  private void back(Attempt former) {
    log.info("coordination: {} answers again; leaving {}", preferredWay.name(), otherWay.name());
    other = Optional.empty();
    observer.taken(false);
    lastContact = loop.nanoTime();
    preferred.told.passOn(follower);
    loop.beside(
        "leaving a way of coordination",
        () -> {
          // The record of this machine in the former way no longer counts as its word.
          former.session.moveOn();
          // Not before: a farewell that is late would end a stay that has begun there meanwhile.
          loop.post(this::look);
        });
  }

  private void letGo(Attempt attempt) {
    loop.beside("leaving a way of coordination", attempt.session::close);
  }

  private Attempt active() {
    return other.orElse(preferred);
  }

  /** Taken for scheduled is also a unit of a schedule that has not come yet. */
  private boolean isScheduled(UnitName unit) {
    ToldSchedule told = active().told;
    return !told.isComplete() || told.has(unit);
  }

  // ---- what the agent says

  @Override
  public void report(List<AgentReport> reports) {
    List<AgentReport> kept = List.copyOf(reports);
    loop.post(() -> {
      said.report(kept);
      said.told(said.take(Integer.MAX_VALUE));
      preferred.session.report(kept);
      other.ifPresent(way -> way.session.report(kept));
    });
  }

  @Override
  public void present(Machine changed) {
    loop.post(() -> {
      machine = changed;
      preferred.session.present(changed);
      other.ifPresent(way -> way.session.present(changed));
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
              .map(way -> List.of(preferred.session, way.session))
              .orElseGet(() -> List.of(preferred.session));
        });
    loop.close();
    // The active one is the last.
    sessions.subList(0, sessions.size() - 1).forEach(AgentCoordination.Session::close);
    end.of(sessions.getLast());
  }

  /** One membership in one way; what it hears is passed on while it is the active one. */
  private final class Attempt implements ScheduleFollower {
    private final AgentCoordination.Session session;
    private final ToldSchedule told = new ToldSchedule();
    private long lastNews = loop.nanoTime();
    private long lastHeard = lastNews;

    /** When that was said which was acknowledged before the schedule had come. */
    private Optional<Long> acknowledgedEarly = Optional.empty();

    Attempt(FailoverCoordination.AgentTransport way) {
      session = way.coordination().join(machine, this, answerer);
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

    /** Whether nothing has come from it for so long. */
    boolean hasNoNewsFor(Duration time) {
      return since(lastNews).compareTo(time) >= 0;
    }

    /**
     * Whether it was in touch for so long and told nothing new. Silence does not count: a leader
     * that is cut off may never have heard what was decided since.
     */
    boolean hasStoodFor(Duration time) {
      return lastHeard - lastNews >= time.toNanos();
    }

    private Duration since(long moment) {
      return Duration.ofNanos(loop.nanoTime() - moment);
    }

    /** The follower knows the schedule of the way before: it hears of the one here first. */
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
