package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.ReleaseProgress;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.notify.ServiceNotifier;
import fleet.systemd.ServiceJob;
import fleet.systemd.SystemdException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The units and the sockets of a fleetd that ends. */
class LifeCycleTest {

  private static final ServiceJob STOP = new ServiceJob.Pending("fleet.service", "stop");
  private static final ServiceJob RESTART = new ServiceJob.Pending("fleet.service", "restart");

  private static boolean releases(ServiceJob job, Optional<Instant> maintenance)
      throws InterruptedException {
    return releases(new Played(job), maintenance);
  }

  private static boolean releases(LifeCycle.OwnService service, Optional<Instant> maintenance)
      throws InterruptedException {
    var daemon = new Maintained(maintenance);
    new LifeCycle(
            ServiceNotifier.of(Map.of()),
            () -> {
              throw new AssertionError("nothing is read");
            },
            service,
            System.out)
        .leave(daemon);
    return daemon.released;
  }

  private static boolean stopsSocket(ServiceJob job, Optional<Instant> maintenance)
      throws InterruptedException {
    Played service = new Played(job);
    boolean _ = releases(service, maintenance);
    return service.stopped;
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

  /** Else a client that comes while fleetd restarts is refused. */
  @Test
  void systemdListensOnUnlessItStopsTheService() throws Exception {
    assertThat(stopsSocket(STOP, Optional.empty())).isTrue();
    assertThat(stopsSocket(STOP, Optional.of(Instant.MAX))).isTrue();
    assertThat(stopsSocket(RESTART, Optional.empty())).isFalse();
    assertThat(stopsSocket(new ServiceJob.None("fleet.service"), Optional.empty())).isFalse();
    assertThat(stopsSocket(new ServiceJob.NoService(), Optional.empty())).isFalse();
  }

  @Test
  void aSystemdThatDoesNotStopTheSocketHoldsNothingUp() throws Exception {
    LifeCycle.OwnService service =
        new LifeCycle.OwnService() {
          @Override
          public ServiceJob job() {
            return STOP;
          }

          @Override
          public Optional<String> stopSocket() {
            throw new SystemdException("", "no answer");
          }
        };
    assertThat(releases(service, Optional.empty())).isTrue();
  }

  private static final class Played implements LifeCycle.OwnService {
    private final ServiceJob job;
    private boolean stopped;

    private Played(ServiceJob job) {
      this.job = job;
    }

    @Override
    public ServiceJob job() {
      return job;
    }

    @Override
    public Optional<String> stopSocket() {
      stopped = true;
      return Optional.of("fleet.socket");
    }
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
