package fleet.systemd.dbus;

import fleet.core.unit.UnitName;
import fleet.systemd.JobResult;
import fleet.systemd.SystemdException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Follows jobs to their end.
 *
 * <p>The end of a job may be reported before the answer to the call that made it, so the ends of
 * jobs of a unit are kept for as long as a call for that unit is under way. Safe for use by many
 * threads; results are completed by threads of their own, which may block.
 */
final class Jobs {

  private static final Executor OWN_THREAD = task -> Thread.ofVirtual().start(task);

  private final Map<String, Followed> byPath = new HashMap<>();
  private final Map<String, Asked> asked = new HashMap<>();

  /** A call that makes a job for a unit is about to be sent; {@link #answered} must follow. */
  synchronized void asking(UnitName unit) {
    asked.computeIfAbsent(unit.value(), name -> new Asked()).calls++;
  }

  /** The call was answered, or failed. */
  synchronized void answered(UnitName unit) {
    Asked calls = asked.get(unit.value());
    if (calls != null && --calls.calls == 0) {
      asked.remove(unit.value());
    }
  }

  /** Such a call made a job, or found one to join. */
  synchronized void made(UnitName unit, String path, CompletableFuture<JobResult> result) {
    Asked calls = asked.get(unit.value());
    JobResult early = calls == null ? null : calls.ended.get(path);
    if (early != null) {
      complete(result, early);
      return;
    }
    byPath
        .computeIfAbsent(path, key -> new Followed(unit, path, new ArrayList<>()))
        .results()
        .add(result);
  }

  /** Whether the ends of jobs matter to nobody. */
  synchronized boolean isIdle() {
    return byPath.isEmpty() && asked.isEmpty();
  }

  /** A job has ended, of any unit and any caller. */
  synchronized void ended(String path, String unit, String result) {
    JobResult end = new JobResult(result);
    Asked calls = asked.get(unit);
    if (calls != null) {
      calls.ended.put(path, end);
    }
    Followed job = byPath.remove(path);
    if (job != null) {
      job.results().forEach(waiting -> complete(waiting, end));
    }
  }

  synchronized List<Followed> followed() {
    return List.copyOf(byPath.values());
  }

  /** A job ended while there was no connection. */
  synchronized void lost(Followed job, String why) {
    if (byPath.remove(job.path()) != null) {
      fail(job, why);
    }
  }

  /** There will be no more connection. */
  synchronized void close() {
    byPath.values().forEach(job -> fail(job, "the connection to systemd was closed"));
    byPath.clear();
  }

  private static void fail(Followed job, String why) {
    SystemdException error =
        new SystemdException("", "cannot tell how the job of " + job.unit() + " ended: " + why);
    for (CompletableFuture<JobResult> waiting : job.results()) {
      OWN_THREAD.execute(() -> waiting.completeExceptionally(error));
    }
  }

  private static void complete(CompletableFuture<JobResult> waiting, JobResult result) {
    waiting.completeAsync(() -> result, OWN_THREAD);
  }

  record Followed(UnitName unit, String path, List<CompletableFuture<JobResult>> results) {}

  /** Calls under way for one unit, and jobs of it that ended meanwhile. */
  private static final class Asked {
    private int calls;
    private final Map<String, @Nullable JobResult> ended = new HashMap<>();
  }
}
