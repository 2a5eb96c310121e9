package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.ReleaseProgress;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.notify.ServiceNotifier;
import fleet.systemd.ServiceJob;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The units of a fleetd that ends. */
class LifeCycleTest {

  private static final ServiceJob STOP = new ServiceJob.Pending("fleet.service", "stop");

  private static boolean releases(ServiceJob job, Optional<Instant> maintenance)
      throws InterruptedException {
    var daemon = new Maintained(maintenance);
    new LifeCycle(
            ServiceNotifier.of(Map.of()),
            () -> {
              throw new AssertionError("nothing is read");
            },
            () -> job,
            System.out)
        .releaseUnits(daemon);
    return daemon.released;
  }

  @Test
  void unitsAreReleasedWhenSystemdStopsTheService() throws Exception {
    assertThat(releases(STOP, Optional.empty())).isTrue();
    assertThat(releases(new ServiceJob.None("fleet.service"), Optional.empty())).isFalse();
  }

  @Test
  void theyStayWhileTheMachineIsInMaintenanceAndNoLonger() throws Exception {
    assertThat(releases(STOP, Optional.of(Instant.MAX))).isFalse();
    assertThat(releases(STOP, Optional.of(Instant.EPOCH))).isTrue();
  }

  private static final class Maintained implements RunningDaemon {
    private final Optional<Instant> maintenance;
    private boolean released;

    private Maintained(Optional<Instant> maintenance) {
      this.maintenance = maintenance;
    }

    @Override
    public boolean canRelease() {
      return true;
    }

    @Override
    public Optional<Instant> maintenance() {
      return maintenance;
    }

    @Override
    public void release(ReleaseProgress progress) {
      released = true;
    }

    @Override
    public String status() {
      return "";
    }

    @Override
    public Optional<String> trouble() {
      return Optional.empty();
    }

    @Override
    public void reload(Configuration configuration) {}

    @Override
    public void dump(PrintStream out) {}

    @Override
    public void close() {}
  }
}
