package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.core.unit.UnitName;
import fleet.systemd.SystemdException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts and stops units that are in place. Owned by the agent's event thread. */
final class Running {

  private static final Logger log = LoggerFactory.getLogger(Running.class);

  private final LocalUnits units;
  private final Starter starter;
  private final Marks marks;
  private final Placing placing;
  private final Observing observing;
  private final Work work;
  private final Set<UnitName> beingStarted = new HashSet<>();

  Running(
      LocalUnits units,
      Starter starter,
      Marks marks,
      Placing placing,
      Observing observing,
      Work work) {
    this.units = units;
    this.starter = starter;
    this.marks = marks;
    this.placing = placing;
    this.observing = observing;
    this.work = work;
  }

  /**
   * Carries out one start command.
   *
   * @param again whether an earlier one was carried out, so that a running unit is restarted
   */
  void start(LocalUnit unit, long restartCounter, boolean again) {
    UnitName name = unit.name();
    Mark before = unit.mark();
    Mark starting = before.starting(restartCounter);
    unit.mark(starting);
    unit.problem("");
    units.occupy(name);
    beingStarted.add(name);
    log.debug("{} {}", again ? "restarting" : "starting", name);
    work.begin(
        () -> starter.start(starting, again),
        problem -> started(unit, starting, problem),
        fault -> startFailed(unit, before, fault),
        () -> {
          beingStarted.remove(name);
          units.release(name);
        });
  }

  private void started(LocalUnit unit, Mark starting, String problem) {
    boolean failed = problem.equals(Starter.JOB_FAILED);
    if (!problem.isEmpty()) {
      log.warn("{}: {}", unit.name(), problem);
    }
    unit.problem(failed ? "" : problem);
    unit.mark(starting.startConfirmed());
    observing.settleStart(unit.name(), failed);
  }

  /**
   * Where the connection broke in the middle, what systemd shows once it is back decides. Anything
   * else went wrong before systemd was asked.
   */
  private void startFailed(LocalUnit unit, Mark before, Exception fault) {
    unit.problem("cannot start it: " + Work.reason(fault));
    log.warn("{}: {}", unit.name(), unit.problem());
    if (fault instanceof SystemdException lost && lost.isConnectionLost()) {
      observing.refresh(unit.name());
    } else {
      unit.mark(before);
      units.rest(unit.name());
    }
  }

  /**
   * Ends the starts under way by a stop, so that nobody waits for units that take long to start.
   */
  void cancelStarts() {
    for (UnitName name : beingStarted) {
      work.begin(
          () -> starter.stop(name),
          problem -> log.debug("start of {} cancelled: {}", name, problem),
          fault -> log.debug("start of {} not cancelled: {}", name, Work.reason(fault)),
          () -> {});
    }
  }

  /** Kills all processes of units; what becomes of it, systemd's signals tell. */
  void kill(Collection<UnitName> names) {
    for (UnitName name : names) {
      work.begin(
          () -> {
            starter.kill(name);
            return true;
          },
          _ -> log.info("killed {}", name),
          fault -> log.warn("cannot kill {}: {}", name, Work.reason(fault)),
          () -> units.wake(name));
    }
  }

  /** Stops a unit that stays loaded. */
  void stop(LocalUnit unit) {
    UnitName name = unit.name();
    Mark before = unit.mark().aboutToStop();
    Mark afterwards = unit.mark().stopped();
    units.occupy(name);
    log.info("stopping {}", name);
    work.begin(
        () -> {
          marks.note(before);
          String problem = starter.stop(name);
          if (problem.isEmpty()) {
            marks.write(afterwards);
          }
          return problem;
        },
        problem -> stopped(unit, afterwards, problem),
        fault -> notStopped(unit, "cannot stop it: " + Work.reason(fault)),
        () -> units.release(name));
  }

  private void stopped(LocalUnit unit, Mark afterwards, String problem) {
    if (problem.isEmpty()) {
      unit.problem("");
      unit.mark(afterwards);
      unit.forgetStart();
    } else {
      notStopped(unit, problem);
    }
    observing.refresh(unit.name());
  }

  /** Stops a unit and has it removed. */
  void remove(LocalUnit unit, String why) {
    UnitName name = unit.name();
    Mark before = unit.mark().aboutToStop();
    Mark afterwards = unit.mark().stopped();
    units.occupy(name);
    log.info("stopping {} to remove it: {}", name, why);
    work.begin(
        () -> {
          marks.note(before);
          String problem = starter.stop(name);
          if (problem.isEmpty()) {
            marks.note(afterwards);
          }
          return problem;
        },
        problem -> stoppedForGood(unit, problem),
        fault -> stoppedForGood(unit, "cannot stop it: " + Work.reason(fault)),
        () -> {});
  }

  private void stoppedForGood(LocalUnit unit, String problem) {
    if (problem.isEmpty()) {
      unit.mark(unit.mark().stopped());
      unit.forgetStart();
      placing.remove(unit.name());
    } else {
      notStopped(unit, problem);
      units.release(unit.name());
    }
  }

  private void notStopped(LocalUnit unit, String why) {
    log.warn("{}: {}; trying again", unit.name(), why);
    unit.problem(why);
    units.rest(unit.name());
  }
}
