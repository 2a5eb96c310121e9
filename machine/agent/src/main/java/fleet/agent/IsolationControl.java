package fleet.agent;

import fleet.agent.isolation.IsolationGuard;
import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.coordination.EventLoop;
import fleet.core.machine.Isolation;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a machine that the cluster has given up from running units, if its configuration says so
 * ({@link Isolation#STOP}): the guard stops them when the cluster has not acknowledged the machine
 * for long enough, and each acknowledgement moves the deadline. Units that the guard stopped are
 * started again if they are still scheduled here. Owned by the agent's event thread, but for {@link
 * #isSafe}.
 */
final class IsolationControl {

  private static final Logger log = LoggerFactory.getLogger(IsolationControl.class);

  private final LocalUnits units;
  private final Marks marks;
  private final IsolationGuard guard;
  private final BackgroundWork work;
  private final EventLoop loop;
  private final Duration ttl;
  private final Duration stopAfter;
  private final CompletableFuture<Boolean> end = new CompletableFuture<>();
  private volatile Isolation isolation = Isolation.KEEP;
  private boolean scheduleKnown;

  /** The time of the last acknowledged heartbeat. */
  private Optional<Long> acknowledged = Optional.empty();

  /** The same as of the guard's deadline. */
  private volatile Optional<Long> armed = Optional.empty();

  /** Whether a guard may have to be ended: one of an earlier fleetd, or this one's. */
  private boolean mayGuard = true;

  private boolean underWay;
  private boolean mayHaveStopped = true;
  private boolean heldBack;
  private boolean failing;
  private boolean ending;

  IsolationControl(
      LocalUnits units,
      Marks marks,
      IsolationGuard guard,
      BackgroundWork work,
      EventLoop loop,
      Duration ttl) {
    this.units = units;
    this.marks = marks;
    this.guard = guard;
    this.work = work;
    this.loop = loop;
    this.ttl = ttl;
    this.stopAfter = ttl.multipliedBy(2).dividedBy(3);
  }

  /** Takes over the isolation policy of the machine. */
  void set(Isolation changed) {
    if (changed == Isolation.STOP && isolation != Isolation.STOP) {
      log.info(
          "on_isolation=stop: units that are not global are stopped when the cluster has not"
              + " acknowledged this machine for {} ms, and killed after {} ms, even if fleetd or the"
              + " registry is away",
          stopAfter.toMillis(),
          ttl.toMillis());
    }
    isolation = changed;
    next();
  }

  /** From now on it is known which units are still wanted here. */
  void scheduleKnown() {
    scheduleKnown = true;
    next();
  }

  /** The cluster has acknowledged a heartbeat that was sent at that time of the loop. */
  void acknowledged(long saidAt) {
    if (acknowledged.isEmpty() || saidAt - acknowledged.get() > 0) {
      acknowledged = Optional.of(saidAt);
    }
    next();
  }

  /**
   * Whether a unit may be started; if not, the start is made later. The list of units that the
   * guard has stopped comes first: an earlier start would be repeated with these.
   */
  boolean allowsStart() {
    boolean allows = hasStoppedNothing();
    heldBack |= !allows;
    return allows;
  }

  /** Whether the guard can have stopped none of the units that do not run here. */
  boolean hasStoppedNothing() {
    return !mayHaveStopped && isSafe();
  }

  /** Whether units may run here, as far as the cluster is concerned. For any thread. */
  boolean isSafe() {
    return isolation == Isolation.KEEP
        || armed.filter(at -> loop.nanoTime() - at < stopAfter.toNanos()).isPresent();
  }

  /** Guards no more, since the machine has left with its units. */
  CompletableFuture<Boolean> end() {
    ending = true;
    next();
    return end;
  }

  // ---- one thing at a time

  private void next() {
    if (underWay || end.isDone()) {
      return;
    }
    boolean guards = !ending && isolation == Isolation.STOP;
    if (!guards && mayGuard) {
      disarm();
    } else if (ending) {
      end.complete(true);
    } else if (guards && acknowledged.isPresent() && !acknowledged.equals(armed)) {
      arm(acknowledged.get());
    } else if (mayHaveStopped && scheduleKnown && isSafe()) {
      takeBack();
    } else if (heldBack && hasStoppedNothing()) {
      heldBack = false;
      units.wakeAll();
    }
  }

  private <T> void begin(Callable<T> task, Consumer<T> success, Consumer<Exception> failure) {
    underWay = true;
    work.begin(
        task,
        result -> {
          underWay = false;
          success.accept(result);
        },
        fault -> {
          underWay = false;
          failure.accept(fault);
        },
        this::next);
  }

  private void disarm() {
    boolean forget = ending;
    begin(
        () -> {
          guard.disarm();
          if (forget) {
            guard.forgetStopped();
          }
          return guard.hasStopped();
        },
        stopped -> {
          mayGuard = false;
          mayHaveStopped = stopped;
          armed = Optional.empty();
        },
        fault -> {
          log.error("cannot take back on_isolation=stop: {}", BackgroundWork.reason(fault));
          mayGuard = false;
        });
  }

  private void arm(long saidAt) {
    mayGuard = true;
    begin(
        () -> {
          Duration ago = Duration.ofNanos(loop.nanoTime() - saidAt);
          guard.arm(stopAfter.minus(ago), ttl.minus(ago));
          return guard.hasStopped();
        },
        stopped -> armed(saidAt, stopped),
        this::notArmed);
  }

  private void armed(long saidAt, boolean stopped) {
    armed = Optional.of(saidAt);
    mayHaveStopped = stopped;
    if (failing) {
      log.info("units are stopped again if the cluster gives this machine up");
      failing = false;
    }
  }

  /** The next acknowledgement makes another attempt. */
  private void notArmed(Exception fault) {
    if (!failing) {
      log.error(
          "on_isolation=stop does not work: {}; units of this machine may run twice if the"
              + " cluster gives it up; no more are started until it works",
          BackgroundWork.reason(fault));
      failing = true;
    }
    acknowledged = armed;
  }

  // ---- back in time

  private void takeBack() {
    begin(
        guard::takeStopped,
        stopped -> {
          // It is ended for now.
          armed = Optional.empty();
          takeBack(stopped);
        },
        this::notTakenBack);
  }

  /** The guard may have been ended before that failed: the next acknowledgement makes a new one. */
  private void notTakenBack(Exception fault) {
    log.error("cannot start units again that were stopped here: {}", BackgroundWork.reason(fault));
    mayHaveStopped = false;
    armed = Optional.empty();
    acknowledged = Optional.empty();
  }

  /** A unit with work under way gets to its target state by that. */
  private void takeBack(Set<UnitName> stopped) {
    mayHaveStopped = false;
    List<LocalUnit> own =
        stopped.stream()
            .filter(name -> !units.isBusy(name))
            .flatMap(name -> units.find(name).stream())
            .toList();
    log.warn("back in the cluster, for which these units were stopped here: {}", stopped);
    own.forEach(unit -> units.occupy(unit.name()));
    begin(
        () -> {
          for (LocalUnit unit : own) {
            marks.write(unit.mark().stopped());
          }
          guard.forgetStopped();
          return own;
        },
        taken -> taken.forEach(this::startAgain),
        fault -> {
          own.forEach(unit -> units.release(unit.name()));
          notTakenBack(fault);
        });
  }

  private void startAgain(LocalUnit unit) {
    Mark stopped = unit.mark().stopped();
    unit.mark(stopped);
    unit.forgetStart();
    units.release(unit.name());
  }
}
