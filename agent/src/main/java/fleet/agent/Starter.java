package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.core.unit.UnitName;
import fleet.systemd.JobResult;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops units, many at a time, and follows each job to its end. Every call waits, so it
 * belongs on a thread of its own.
 *
 * <p>The mark says before the call which start is meant, and after it that systemd took it: a
 * fleetd killed in between can tell the two apart.
 */
final class Starter {

  private static final Logger log = LoggerFactory.getLogger(Starter.class);

  /** The job failed; as a rule the unit's own state says so too. */
  static final String JOB_FAILED = "its start failed";

  private static final int CALLS_IN_FLIGHT = 50;

  private final Systemd systemd;
  private final Marks marks;
  private final Semaphore calls = new Semaphore(CALLS_IN_FLIGHT);

  Starter(Systemd systemd, Marks marks) {
    this.systemd = systemd;
    this.marks = marks;
  }

  /**
   * Starts a unit and waits for the job's end.
   *
   * @return the problem, in one line; empty where the job was done, whatever then became of the
   *     unit
   */
  String start(Mark starting, boolean again) throws IOException, InterruptedException {
    marks.update(starting);
    UnitName unit = starting.unit();
    CompletableFuture<JobResult> job;
    try {
      job = call(unit, name -> startNew(name, again ? systemd::restart : systemd::start));
    } catch (SystemdException e) {
      if (e.isConnectionLost()) {
        throw e;
      }
      marks.note(starting.startConfirmed());
      return "systemd does not start it: " + e.getMessage();
    }
    marks.note(starting.startConfirmed());
    return ended(job);
  }

  /** What systemd has taken counts as started, whether anybody hears of its end or not. */
  private static String ended(CompletableFuture<JobResult> job) throws InterruptedException {
    try {
      return problem(await(job));
    } catch (SystemdException lost) {
      log.debug("the unit's state will tell: {}", lost.getMessage());
      return "";
    }
  }

  /** Stops a unit and waits for the job's end. */
  String stop(UnitName unit) throws InterruptedException {
    try {
      JobResult result = await(call(unit, systemd::stop));
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

  void kill(UnitName unit) {
    systemd.kill(unit);
  }

  private CompletableFuture<JobResult> call(
      UnitName unit, Function<UnitName, CompletableFuture<JobResult>> method)
      throws InterruptedException {
    calls.acquire();
    try {
      return method.apply(unit);
    } finally {
      calls.release();
    }
  }

  /** Coarse directory times can hide a new file from systemd; a reload makes it look again. */
  private CompletableFuture<JobResult> startNew(
      UnitName unit, Function<UnitName, CompletableFuture<JobResult>> method) {
    try {
      return method.apply(unit);
    } catch (SystemdException e) {
      if (!e.isNoSuchUnit()) {
        throw e;
      }
      systemd.reload();
      return method.apply(unit);
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
