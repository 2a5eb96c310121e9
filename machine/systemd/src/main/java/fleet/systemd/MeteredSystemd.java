package fleet.systemd;

import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Counts the calls of a systemd, the jobs that follow, and lost connections. */
public final class MeteredSystemd implements Systemd {

  private final Systemd systemd;
  private final Meter meter;
  private volatile boolean connected = true;

  /**
   * Connects to the systemd whose calls are to be counted.
   *
   * @param connector gets the listener that is to be told
   */
  public MeteredSystemd(Function<Listener, Systemd> connector, Listener listener, Meter meter) {
    this.meter = meter;
    this.systemd = connector.apply(new Connection(listener));
  }

  /** Whether there is a connection to systemd. */
  public boolean isConnected() {
    return connected;
  }

  // ---- what is counted

  private <T> T timed(String call, Supplier<T> work) {
    long begun = System.nanoTime();
    try {
      return work.get();
    } catch (RuntimeException e) {
      meter.record(Metric.FLEET_SYSTEMD_CALL_FAILURES_TOTAL, 1, call);
      throw e;
    } finally {
      meter.time(Metric.FLEET_SYSTEMD_CALL_SECONDS, System.nanoTime() - begun, call);
    }
  }

  private void timed(String call, Runnable work) {
    boolean _ =
        timed(
            call,
            () -> {
              work.run();
              return true;
            });
  }

  private CompletableFuture<JobResult> job(
      Metric metric, String call, Supplier<CompletableFuture<JobResult>> work) {
    CompletableFuture<JobResult> job;
    try {
      job = timed(call, work);
    } catch (RuntimeException e) {
      meter.record(metric, 1, "refused");
      throw e;
    }
    var _ =
        job.whenComplete(
            (result, failure) -> meter.record(metric, 1, end(result, failure == null)));
    return job;
  }

  /** A unit whose conditions do not hold is skipped, which is no failure. */
  private static String end(JobResult result, boolean known) {
    if (!known) {
      return "unknown";
    }
    return result.isDone() || result.text().equals("skipped") ? "done" : "failed";
  }

  @Override
  public void reload() {
    timed("reload", systemd::reload);
  }

  @Override
  public CompletableFuture<JobResult> start(UnitName unit) {
    return job(Metric.FLEET_AGENT_STARTS_TOTAL, "start", () -> systemd.start(unit));
  }

  @Override
  public CompletableFuture<JobResult> stop(UnitName unit) {
    return job(Metric.FLEET_AGENT_STOPS_TOTAL, "stop", () -> systemd.stop(unit));
  }

  @Override
  public CompletableFuture<JobResult> restart(UnitName unit) {
    return job(Metric.FLEET_AGENT_STARTS_TOTAL, "restart", () -> systemd.restart(unit));
  }

  @Override
  public void kill(UnitName unit) {
    timed("kill", () -> systemd.kill(unit));
  }

  @Override
  public void resetFailed(UnitName unit) {
    timed("reset", () -> systemd.resetFailed(unit));
  }

  @Override
  public Map<UnitName, SystemdState> states(Collection<UnitName> units) {
    return timed("states", () -> systemd.states(units));
  }

  @Override
  public List<KnownUnit> known(Collection<UnitName> units) {
    return timed("states", () -> systemd.known(units));
  }

  @Override
  public Set<UnitName> stoppedWith(UnitName unit) {
    return timed("states", () -> systemd.stoppedWith(unit));
  }

  @Override
  public void follow(Collection<UnitName> units) {
    timed("follow", () -> systemd.follow(units));
  }

  @Override
  public void unfollow(Collection<UnitName> units) {
    timed("follow", () -> systemd.unfollow(units));
  }

  // ---- what is not

  @Override
  public List<Path> unitPath() {
    return systemd.unitPath();
  }

  @Override
  public Path runtimeDirectory() {
    return systemd.runtimeDirectory();
  }

  @Override
  public long softReboots() {
    return systemd.softReboots();
  }

  @Override
  public String boot(String kernelBoot) {
    return systemd.boot(kernelBoot);
  }

  @Override
  public void close() {
    systemd.close();
  }

  private final class Connection implements Listener {
    private final Listener told;

    Connection(Listener told) {
      this.told = told;
    }

    @Override
    public void changed(UnitName unit, SystemdState state) {
      told.changed(unit, state);
    }

    @Override
    public void reloaded() {
      told.reloaded();
    }

    @Override
    public void reconnected() {
      connected = true;
      told.reconnected();
    }

    @Override
    public void disconnected(String why) {
      connected = false;
      meter.record(Metric.FLEET_SYSTEMD_DISCONNECTS_TOTAL, 1);
      told.disconnected(why);
    }
  }
}
