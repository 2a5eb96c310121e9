package fleet.systemd.simulated;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.systemd.JobResult;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One process's connection to its machine's systemd: calls and signals take time, in order. */
final class SystemdConnection implements Systemd {

  private static final Duration CALL = Duration.ofMillis(1);
  private static final Duration RELOAD = Duration.ofMillis(500);

  private final SimulatedSystemd systemd;
  private final SimulationContext surroundings;
  private final ConnectedProcess process;
  private final Listener listener;
  private final Set<UnitName> followed = new HashSet<>();
  private final Map<Long, CompletableFuture<JobResult>> jobs = new LinkedHashMap<>();
  private long made;
  private long lastArrival;
  private boolean lost;
  private int losses;

  SystemdConnection(
      SimulatedSystemd systemd,
      SimulationContext surroundings,
      ConnectedProcess process,
      Listener listener) {
    this.systemd = systemd;
    this.surroundings = surroundings;
    this.process = process;
    this.listener = listener;
  }

  @Override
  public List<Path> unitPath() {
    return List.of();
  }

  @Override
  public Path runtimeDirectory() {
    return systemd.runtimeDirectory();
  }

  @Override
  public long softReboots() {
    return 0;
  }

  @Override
  public void reload() {
    process.sleep(surroundings.upTo(RELOAD));
  }

  @Override
  public CompletableFuture<JobResult> start(UnitName unit) {
    return job(end -> systemd.start(unit, end));
  }

  @Override
  public CompletableFuture<JobResult> stop(UnitName unit) {
    return job(end -> systemd.stop(unit, end));
  }

  @Override
  public CompletableFuture<JobResult> restart(UnitName unit) {
    return job(end -> systemd.restart(unit, end));
  }

  @Override
  public void kill(UnitName unit) {
    tell(() -> systemd.kill(unit));
  }

  @Override
  public void resetFailed(UnitName unit) {
    tell(() -> systemd.resetFailed(unit));
  }

  @Override
  public Map<UnitName, SystemdState> states(Collection<UnitName> units) {
    return ask(() -> {
      Map<UnitName, SystemdState> states = new TreeMap<>(SimulatedSystemd::byName);
      units.forEach(unit -> states.put(unit, systemd.state(unit)));
      return states;
    });
  }

  @Override
  public List<KnownUnit> known(Collection<UnitName> units) {
    return ask(() -> systemd.known(units));
  }

  /** Its units stand by themselves. */
  @Override
  public Set<UnitName> stoppedWith(UnitName unit) {
    return Set.of();
  }

  @Override
  public void follow(Collection<UnitName> units) {
    boolean _ = process.inTurn(() -> followed.addAll(units));
  }

  @Override
  public void unfollow(Collection<UnitName> units) {
    boolean _ = process.inTurn(() -> followed.removeAll(units));
  }

  @Override
  public void close() {
    boolean _ = process.inTurn(() -> systemd.disconnect(this));
  }

  /** Nothing passes for a while; whoever waits for an answer hears that there is none. */
  void lose(Duration time) {
    if (lost) {
      return;
    }
    lost = true;
    losses++;
    List<CompletableFuture<JobResult>> waiting = List.copyOf(jobs.values());
    jobs.clear();
    arrive(() -> {
      listener.disconnected("the connection to systemd is lost");
      waiting.forEach(job -> job.completeExceptionally(connectionLost()));
    });
    surroundings.after(
        time,
        () -> {
          lost = false;
          arrive(listener::reconnected);
        });
  }

  private static SystemdException connectionLost() {
    return new SystemdException("", "the connection to systemd is lost");
  }

  void changed(UnitName unit, SystemdState state) {
    if (followed.contains(unit) && !lost) {
      arrive(() -> listener.changed(unit, state));
    }
  }

  // ---- the way there and back

  private CompletableFuture<JobResult> job(Consumer<Consumer<JobResult>> call) {
    var job = new CompletableFuture<JobResult>();
    int lossesBefore = losses;
    tell(() -> {
      long number = made++;
      jobs.put(number, job);
      call.accept(result -> {
        if (jobs.remove(number) != null) {
          arrive(() -> job.complete(result));
        }
      });
    });
    if (losses != lossesBefore) {
      throw connectionLost();
    }
    return job;
  }

  private void tell(Runnable call) {
    boolean _ =
        ask(() -> {
          call.run();
          return true;
        });
  }

  private <T> T ask(Supplier<T> call) {
    int lossesBefore = losses;
    process.sleep(surroundings.upTo(CALL));
    requireConnection(lossesBefore);
    T answer = process.inTurn(call);
    process.sleep(surroundings.upTo(CALL));
    requireConnection(lossesBefore);
    return answer;
  }

  private void requireConnection(int lossesBefore) {
    if (lost || losses != lossesBefore) {
      throw connectionLost();
    }
  }

  /** Messages that systemd sends by itself arrive in the order in which they were sent. */
  private void arrive(Runnable message) {
    long now = surroundings.nanoTime();
    lastArrival = Math.max(lastArrival + 1, now + surroundings.upTo(CALL).toNanos());
    process.after(Duration.ofNanos(lastArrival - now), message);
  }
}
