package fleet.simulation.planted;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.systemd.JobResult;
import fleet.systemd.Systemd;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A systemd that is another one, but for what a bug makes different. */
abstract class AlteredSystemd implements Systemd {

  static final CompletableFuture<JobResult> DONE =
      CompletableFuture.completedFuture(new JobResult("done"));

  private final Systemd real;

  AlteredSystemd(Systemd real) {
    this.real = real;
  }

  @Override
  public List<Path> unitPath() {
    return real.unitPath();
  }

  @Override
  public Path runtimeDirectory() {
    return real.runtimeDirectory();
  }

  @Override
  public long softReboots() {
    return real.softReboots();
  }

  @Override
  public void reload() {
    real.reload();
  }

  @Override
  public CompletableFuture<JobResult> start(UnitName unit) {
    return real.start(unit);
  }

  @Override
  public CompletableFuture<JobResult> stop(UnitName unit) {
    return real.stop(unit);
  }

  @Override
  public CompletableFuture<JobResult> restart(UnitName unit) {
    return real.restart(unit);
  }

  @Override
  public void kill(UnitName unit) {
    real.kill(unit);
  }

  @Override
  public void resetFailed(UnitName unit) {
    real.resetFailed(unit);
  }

  @Override
  public Map<UnitName, SystemdState> states(Collection<UnitName> units) {
    return real.states(units);
  }

  @Override
  public List<KnownUnit> known(Collection<UnitName> units) {
    return real.known(units);
  }

  @Override
  public Set<UnitName> stoppedWith(UnitName unit) {
    return real.stoppedWith(unit);
  }

  @Override
  public void follow(Collection<UnitName> units) {
    real.follow(units);
  }

  @Override
  public void unfollow(Collection<UnitName> units) {
    real.unfollow(units);
  }

  @Override
  public void close() {
    real.close();
  }
}
