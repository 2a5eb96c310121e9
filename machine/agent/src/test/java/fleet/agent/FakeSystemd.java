package fleet.agent;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.systemd.JobResult;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A systemd that fails when a test wants it to, and remembers what it was asked. */
public final class FakeSystemd implements Systemd {

  private final Map<UnitName, SystemdState> states = new HashMap<>();
  private final Map<UnitName, KnownUnit> known = new HashMap<>();
  private final List<String> calls = new ArrayList<>();
  private Runnable onReload = () -> {};
  private Supplier<CompletableFuture<JobResult>> onStart = () -> ended("done");
  private Supplier<CompletableFuture<JobResult>> onStop = () -> ended("done");
  private final Path runtimeDirectory;
  private final Map<UnitName, Set<UnitName>> stoppedWith = new HashMap<>();
  private boolean reachable = true;
  private int reloads;

  public FakeSystemd(Path runtimeDirectory) {
    this.runtimeDirectory = runtimeDirectory;
  }

  static CompletableFuture<JobResult> ended(String result) {
    return CompletableFuture.completedFuture(new JobResult(result));
  }

  synchronized void reachable(boolean is) {
    reachable = is;
  }

  synchronized void knows(UnitName unit, String fragment) {
    known.put(unit, new KnownUnit(unit, "loaded", fragment));
  }

  synchronized void knowsNoLonger(UnitName unit) {
    known.remove(unit);
  }

  synchronized void state(UnitName unit, SystemdState state) {
    states.put(unit, state);
  }

  synchronized void onStart(Supplier<CompletableFuture<JobResult>> job) {
    onStart = job;
  }

  synchronized void onStop(Supplier<CompletableFuture<JobResult>> job) {
    onStop = job;
  }

  /** The starts, restarts and stops asked for, such as "start web.service". */
  synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  /** How often it was asked to reload. */
  synchronized int reloads() {
    return reloads;
  }

  synchronized void onReload(Runnable action) {
    onReload = action;
  }

  /** The second unit is stopped whenever the first is. */
  synchronized void stopsWith(UnitName first, UnitName second) {
    stoppedWith.put(first, Set.of(second));
  }

  private void check() {
    if (!reachable) {
      throw new SystemdException("", "systemd is out of reach");
    }
  }

  @Override
  public synchronized List<Path> unitPath() {
    check();
    return List.of();
  }

  @Override
  public synchronized Path runtimeDirectory() {
    check();
    return runtimeDirectory;
  }

  @Override
  public long softReboots() {
    return 0;
  }

  @Override
  public synchronized void reload() {
    check();
    reloads++;
    onReload.run();
  }

  @Override
  public synchronized CompletableFuture<JobResult> start(UnitName unit) {
    check();
    calls.add("start " + unit);
    return onStart.get();
  }

  @Override
  public synchronized CompletableFuture<JobResult> stop(UnitName unit) {
    check();
    calls.add("stop " + unit);
    return onStop.get();
  }

  @Override
  public synchronized CompletableFuture<JobResult> restart(UnitName unit) {
    check();
    calls.add("restart " + unit);
    return onStart.get();
  }

  @Override
  public synchronized void kill(UnitName unit) {
    check();
    calls.add("kill " + unit);
  }

  @Override
  public synchronized void resetFailed(UnitName unit) {
    check();
  }

  @Override
  public synchronized Map<UnitName, SystemdState> states(Collection<UnitName> units) {
    check();
    Map<UnitName, SystemdState> asked = new HashMap<>();
    units.forEach(unit -> asked.put(unit, states.getOrDefault(unit, SystemdState.DEAD)));
    return asked;
  }

  @Override
  public synchronized List<KnownUnit> known(Collection<UnitName> units) {
    check();
    return known.values().stream().filter(unit -> units.contains(unit.unit())).toList();
  }

  @Override
  public synchronized Set<UnitName> stoppedWith(UnitName unit) {
    check();
    return stoppedWith.getOrDefault(unit, Set.of());
  }

  @Override
  public void follow(Collection<UnitName> units) {}

  @Override
  public void unfollow(Collection<UnitName> units) {}

  @Override
  public void close() {}
}
