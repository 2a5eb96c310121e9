package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.agent.place.ForeignUnits;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;
import fleet.systemd.JobResult;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls systemd to start or stop a unit, and follows the job to its end; many at a time. Every call
 * waits, so it belongs on a thread of its own.
 *
 * <p>Before the call, the mark notes the start and the present invocation, and afterwards that
 * systemd took it: a fleetd that is restarted in between can ask systemd whether another invocation
 * runs now.
 */
final class SystemdJobs {

  private static final Logger log = LoggerFactory.getLogger(SystemdJobs.class);

  /** The job failed; as a rule the unit's own state says so too. */
  static final String JOB_FAILED = "its start failed";

  private static final int CALLS_IN_FLIGHT = 50;

  private final Systemd systemd;
  private final Marks marks;
  private final ForeignUnits foreign;
  private final BooleanSupplier mayRun;
  private final Semaphore calls = new Semaphore(CALLS_IN_FLIGHT);
  private final AtomicInteger reloads = new AtomicInteger();
  private final ReentrantLock reloading = new ReentrantLock();

  /**
   * @param mayRun whether the cluster counts on this machine to run its units, as far as that is
   *     known here; asked right before each start, since fleetd may have been stopped for long
   *     after the start was decided
   */
  SystemdJobs(Systemd systemd, Marks marks, ForeignUnits foreign, BooleanSupplier mayRun) {
    this.systemd = systemd;
    this.marks = marks;
    this.foreign = foreign;
    this.mayRun = mayRun;
  }

  /**
   * Asks systemd to start a unit. The mark notes it only at this unit's turn, so that it is clear
   * later that waiting ones were not started.
   *
   * @param again whether a running unit is to be restarted
   * @param failed whether the unit has failed; it may have reached systemd's start limit, which
   *     this request resets
   * @throws SystemdException if systemd makes no job of it, or its answer is lost
   * @throws IOException if the mark cannot be written, or the cluster may have given this machine
   *     up meanwhile
   */
  CompletableFuture<JobResult> ask(Mark starting, boolean again, boolean failed)
      throws IOException, InterruptedException {
    return inTurn(() -> {
      marks.update(starting);
      try {
        if (failed) {
          systemd.resetFailed(starting.unit());
        }
        boolean stops = again && !isSlice(starting.unit());
        var job = startNew(starting.unit(), stops ? systemd::restart : systemd::start);
        marks.note(starting.startTaken());
        return job;
      } catch (IOException e) {
        marks.note(starting.notStarted());
        throw e;
      } catch (SystemdException e) {
        if (!e.isConnectionLost()) {
          marks.note(starting.startRefused());
        }
        throw e;
      }
    });
  }

  /**
   * Waits for the end of a start. A start that systemd has taken counts, even if its end is lost.
   *
   * @return the problem, in one line; empty if the job was done, whatever happened to the unit then
   */
  static String end(CompletableFuture<JobResult> job) throws InterruptedException {
    try {
      return problem(await(job));
    } catch (SystemdException lost) {
      log.debug("the unit's state will tell: {}", lost.getMessage());
      return "";
    }
  }

  /**
   * Stops a unit and waits for the job's end. A foreign unit that has the name by now is not
   * touched; while it runs, it may still be the process that fleet started.
   */
  String stop(UnitName unit) throws InterruptedException {
    try {
      Optional<String> replacing = foreign.replacing(unit);
      if (replacing.isPresent()) {
        return isAtRest(unit) ? "" : notTouched(unit, replacing.get());
      }
      JobResult result = await(inTurn(() -> systemd.stop(unit)));
      return result.isDone() ? "" : "its stop ended with '" + result.text() + "'";
    } catch (SystemdException e) {
      if (e.isNoSuchUnit()) {
        return "";
      }
      if (e.isConnectionLost()) {
        throw e;
      }
      return "systemd does not stop it: " + e.getMessage();
    }
  }

  private boolean isAtRest(UnitName unit) {
    return Optional.ofNullable(systemd.states(Set.of(unit)).get(unit))
        .filter(state -> !state.active().equals("inactive") && !state.isFailed())
        .isEmpty();
  }

  private static String notTouched(UnitName unit, String fragment) {
    return "not touched: systemd has %s from %s by now, which is not fleet's: stop it with systemctl, or remove that file and run systemctl daemon-reload"
        .formatted(unit, fragment);
  }

  /** The units that systemd will stop together with a unit; those in a slice run on without it. */
  Set<UnitName> stoppedWith(UnitName unit) {
    return isSlice(unit) ? Set.of() : systemd.stoppedWith(unit);
  }

  /** The units that run in a slice, fleet's or not; none in a unit of another type. */
  Set<UnitName> runningIn(UnitName unit) {
    if (!isSlice(unit)) {
      return Set.of();
    }
    Set<UnitName> running = new HashSet<>();
    systemd
        .states(systemd.stoppedWith(unit))
        .forEach((name, state) -> {
          if (!isSlice(name) && (state.isActive() || state.isChanging())) {
            running.add(name);
          }
        });
    return running;
  }

  void kill(UnitName unit) {
    Optional<String> replacing = foreign.replacing(unit);
    if (replacing.isPresent()) {
      log.warn("{}: {}", unit, notTouched(unit, replacing.get()));
    } else if (!isSlice(unit)) {
      systemd.kill(unit);
    }
  }

  /**
   * A slice has no process of its own; the processes in it belong to other units, perhaps not
   * fleet's.
   */
  private static boolean isSlice(UnitName unit) {
    return unit.type() == UnitType.SLICE;
  }

  private interface Call<T, E extends Exception> {
    T make() throws E;
  }

  private <T, E extends Exception> T inTurn(Call<T, E> call) throws E, InterruptedException {
    calls.acquire();
    try {
      return call.make();
    } finally {
      calls.release();
    }
  }

  /** Coarse directory times can hide a new file from systemd; a reload makes it look again. */
  private CompletableFuture<JobResult> startNew(
      UnitName unit, Function<UnitName, CompletableFuture<JobResult>> method) throws IOException {
    int before = reloads.get();
    try {
      return callIfSafe(unit, method);
    } catch (SystemdException e) {
      if (!e.isNoSuchUnit()) {
        throw e;
      }
      reloadUnlessDoneSince(before);
      return callIfSafe(unit, method);
    }
  }

  private CompletableFuture<JobResult> callIfSafe(
      UnitName unit, Function<UnitName, CompletableFuture<JobResult>> method) throws IOException {
    if (!mayRun.getAsBoolean()) {
      throw new IOException(
          "the cluster has not acknowledged this machine in time, and may run it elsewhere");
    }
    return method.apply(unit);
  }

  /** One reload finds many missing units. */
  private void reloadUnlessDoneSince(int before) {
    reloading.lock();
    try {
      if (reloads.get() == before) {
        systemd.reload();
        reloads.incrementAndGet();
      }
    } finally {
      reloading.unlock();
    }
  }

  private static JobResult await(CompletableFuture<JobResult> job) throws InterruptedException {
    try {
      return job.get();
    } catch (ExecutionException | CompletionException e) {
      if (e.getCause() instanceof SystemdException cause) {
        throw cause;
      }
      throw new IllegalStateException(e);
    }
  }

  private static String problem(JobResult result) {
    return switch (result.text()) {
      case "done", "skipped" -> "";
      case "failed" -> JOB_FAILED;
      case "dependency" -> "a unit that it requires did not start";
      case "canceled" -> "its start was cancelled by another job of systemd";
      case "timeout" -> "its start took longer than its JobTimeoutSec allows";
      case "assert" -> "an Assert of its file does not hold on this machine";
      default -> "its start ended with '" + result.text() + "'";
    };
  }
}
