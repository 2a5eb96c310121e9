package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.agent.place.Placer;
import fleet.core.unit.UnitName;
import fleet.systemd.JobResult;
import fleet.systemd.SystemdException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts and stops units that are in place. Owned by the agent's event thread. */
final class UnitRunner {

  private static final Logger log = LoggerFactory.getLogger(UnitRunner.class);

  private final LocalUnits units;
  private final SystemdJobs jobs;
  private final Marks marks;
  private final Placer placer;
  private final PlacementBatches placements;
  private final UnitStateObserver stateObserver;
  private final BackgroundWork work;
  private final StartRetries retries;
  private final StartProof proof;

  UnitRunner(
      LocalUnits units,
      SystemdJobs jobs,
      Marks marks,
      Placer placer,
      PlacementBatches placements,
      UnitStateObserver stateObserver,
      BackgroundWork work) {
    this.units = units;
    this.jobs = jobs;
    this.marks = marks;
    this.placer = placer;
    this.placements = placements;
    this.stateObserver = stateObserver;
    this.work = work;
    this.retries = new StartRetries(units, placer, work, this::ended);
    this.proof = new StartProof(work, this::ended);
  }

  /** The failed starts that may be made again. */
  StartRetries retries() {
    return retries;
  }

  /**
   * Carries out one start command. Once systemd has taken it, the agent waits for its end;
   * meanwhile the unit can be stopped, started again or removed.
   *
   * @param again whether an earlier one was carried out, so that a running unit is restarted
   */
  void start(LocalUnit unit, long restartCounter, boolean again) {
    UnitName name = unit.name();
    Mark before = unit.mark();
    Mark starting = before.starting(restartCounter, unit.systemd().invocation());
    boolean failed = unit.systemd().isFailed();
    unit.mark(starting);
    unit.problem("");
    unit.passOverStart();
    unit.missed(Set.of());
    units.occupy(name);
    log.debug("{} {}", again ? "restarting" : "starting", name);
    work.begin(
        () -> jobs.ask(starting, again, failed),
        job -> taken(unit, job),
        fault -> notTaken(unit, before, fault),
        () -> units.release(name));
  }

  private void taken(LocalUnit unit, CompletableFuture<JobResult> job) {
    unit.mark(unit.mark().startTaken());
    retries.forget(unit);
    awaitEnd(unit, unit.awaitEnd(), job);
  }

  /**
   * If the connection broke in the middle, the state after the reconnection decides. If the call
   * did not reach systemd, it is retried.
   */
  private void notTaken(LocalUnit unit, Mark before, Exception fault) {
    if (fault instanceof SystemdException refusal && !refusal.isConnectionLost()) {
      unit.mark(unit.mark().startRefused());
      retries.failed(
          unit,
          unit.awaitEnd(),
          "systemd does not start it: " + BackgroundWork.reason(refusal),
          refusal.isNoSuchUnit());
      return;
    }
    unit.problem("cannot start it: " + BackgroundWork.reason(fault));
    log.warn("{}: {}", unit.name(), unit.problem());
    if (fault instanceof SystemdException) {
      stateObserver.refresh(unit.name());
    } else {
      unit.mark(before);
      units.rest(unit.name());
    }
  }

  private void awaitEnd(LocalUnit unit, Object start, CompletableFuture<JobResult> job) {
    work.begin(
        () -> new JobEnd(SystemdJobs.end(job), placer.tellsWhenItIsReady(unit.name())),
        end -> {
          if (!end.problem().isEmpty()) {
            retries.failed(unit, start, end.problem(), false);
          } else if (end.proven()) {
            ended(unit, start, "");
          } else {
            proof.await(unit, start);
          }
        },
        fault -> log.debug("end of the start of {}: {}", unit.name(), BackgroundWork.reason(fault)),
        () -> {});
  }

  /**
   * The end of systemd's job.
   *
   * @param proven whether it means that the unit is ready, and not only has a process
   */
  private record JobEnd(String problem, boolean proven) {}

  private void ended(LocalUnit unit, Object start, String problem) {
    if (unit.awaitsEndOf(start)) {
      unit.passOverStart();
      boolean jobFailed = problem.equals(SystemdJobs.JOB_FAILED);
      unit.problem(jobFailed ? "" : problem);
      stateObserver.settleStart(unit.name(), jobFailed);
    }
  }

  /** Kills all processes of units; systemd's signals tell the result. */
  void kill(Collection<UnitName> names) {
    for (UnitName name : names) {
      work.begin(
          () -> {
            jobs.kill(name);
            return true;
          },
          _ -> log.info("killed {}", name),
          fault -> log.warn("cannot kill {}: {}", name, BackgroundWork.reason(fault)),
          () -> units.wake(name));
    }
  }

  /** Stops a unit that stays loaded. */
  void stop(LocalUnit unit) {
    UnitName name = unit.name();
    Mark before = unit.mark().aboutToStop();
    Mark afterwards = unit.mark().stopped();
    unit.passOverStart();
    retries.forget(unit);
    units.occupy(name);
    log.info("stopping {}", name);
    work.begin(
        () -> {
          Set<UnitName> inside = jobs.runningIn(name);
          if (!inside.isEmpty()) {
            return "it stops once no unit runs in it; now: " + UnitList.inOneLine(inside);
          }
          marks.note(before);
          String problem = jobs.stop(name);
          if (problem.isEmpty()) {
            marks.write(afterwards);
          }
          return problem;
        },
        problem -> stopped(unit, afterwards, problem),
        fault -> notStopped(unit, "cannot stop it: " + BackgroundWork.reason(fault)),
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
    stateObserver.refresh(unit.name());
  }

  /**
   * Stops a unit and removes it. systemd stops other units with it, before their own orders arrive:
   * these have not ended by themselves, and run again once the unit is back.
   */
  void remove(LocalUnit unit, String why) {
    UnitName name = unit.name();
    unit.passOverStart();
    retries.forget(unit);
    units.occupy(name);
    log.info("stopping {} to remove it: {}", name, why);
    work.begin(
        () -> jobs.stoppedWith(name),
        along -> stopForGood(unit, stopsAlong(along, name)),
        fault -> stoppedForGood(unit, "cannot stop it: " + BackgroundWork.reason(fault)),
        () -> {});
  }

  /** The new marks of fleet's units that systemd stops together with a unit. */
  private List<Mark> stopsAlong(Set<UnitName> along, UnitName stopped) {
    return along.stream()
        .flatMap(name -> units.find(name).stream())
        .filter(unit -> unit.stopsWith(stopped))
        .map(LocalUnit::mark)
        .toList();
  }

  private void stopForGood(LocalUnit unit, List<Mark> along) {
    Mark before = unit.mark().aboutToStop();
    Mark afterwards = unit.mark().stopped();
    work.begin(
        () -> {
          marks.note(before);
          along.forEach(marks::note);
          boolean stays = !jobs.runningIn(unit.name()).isEmpty();
          String problem = stays ? "" : jobs.stop(unit.name());
          if (problem.isEmpty()) {
            marks.note(afterwards);
          }
          return problem;
        },
        problem -> stoppedForGood(unit, problem),
        fault -> stoppedForGood(unit, "cannot stop it: " + BackgroundWork.reason(fault)),
        () -> {});
  }

  private void stoppedForGood(LocalUnit unit, String problem) {
    if (problem.isEmpty()) {
      unit.mark(unit.mark().stopped());
      unit.forgetStart();
      placements.remove(unit.name());
    } else {
      stateObserver.settleStopsWith(unit.name());
      notStopped(unit, problem);
      units.release(unit.name());
    }
  }

  private void notStopped(LocalUnit unit, String why) {
    if (!why.equals(unit.problem())) {
      log.warn("{}: {}; trying again", unit.name(), why);
    }
    unit.problem(why);
    units.rest(unit.name());
  }
}
