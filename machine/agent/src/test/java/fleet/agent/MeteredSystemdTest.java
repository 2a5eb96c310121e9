package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.metric.Metric;
import fleet.core.state.SystemdState;
import fleet.core.testing.RecordedMetrics;
import fleet.core.unit.UnitName;
import fleet.systemd.JobResult;
import fleet.systemd.MeteredSystemd;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeteredSystemdTest {

  private static final UnitName WEB = UnitName.of("web.service");

  @TempDir Path directory;
  private final RecordedMetrics metrics = new RecordedMetrics();
  private Optional<Systemd.Listener> listener = Optional.empty();

  private MeteredSystemd metered(FakeSystemd systemd) {
    return new MeteredSystemd(
        told -> {
          listener = Optional.of(told);
          return systemd;
        },
        new Deaf(),
        metrics);
  }

  private static final class Deaf implements Systemd.Listener {
    @Override
    public void changed(UnitName unit, SystemdState state) {}

    @Override
    public void reconnected() {}

    @Override
    public void disconnected(String why) {}
  }

  @ParameterizedTest
  @CsvSource({"done, done", "skipped, done", "failed, failed", "timeout, failed"})
  void startsAndStopsAreCountedByTheEndOfTheirJobs(String result, String counted) {
    FakeSystemd systemd = new FakeSystemd(directory);
    systemd.onStart(() -> FakeSystemd.ended(result));
    systemd.onStop(() -> FakeSystemd.ended(result));
    MeteredSystemd metered = metered(systemd);
    assertThat(metered.start(WEB).join()).isEqualTo(new JobResult(result));
    metered.stop(WEB).join();
    assertThat(metrics.of(Metric.FLEET_AGENT_STARTS_TOTAL, counted)).isEqualTo(1);
    assertThat(metrics.of(Metric.FLEET_AGENT_STOPS_TOTAL, counted)).isEqualTo(1);
    assertThat(metrics.has(Metric.FLEET_SYSTEMD_CALL_SECONDS, "start")).isTrue();
    assertThat(metrics.has(Metric.FLEET_SYSTEMD_CALL_FAILURES_TOTAL, "start")).isFalse();
  }

  @Test
  void aJobCountsWhenItHasEnded() {
    var job = new CompletableFuture<JobResult>();
    FakeSystemd systemd = new FakeSystemd(directory);
    systemd.onStart(() -> job);
    var _ = metered(systemd).start(WEB);
    assertThat(metrics.of(Metric.FLEET_AGENT_STARTS_TOTAL, "done")).isZero();
    job.completeExceptionally(new SystemdException("", "the connection was lost"));
    assertThat(metrics.of(Metric.FLEET_AGENT_STARTS_TOTAL, "unknown")).isEqualTo(1);
  }

  @Test
  void aStartThatSystemdRefusesFails() {
    FakeSystemd systemd = new FakeSystemd(directory);
    systemd.onStart(() -> {
      throw new SystemdException("org.freedesktop.systemd1.NoSuchUnit", "no such unit");
    });
    MeteredSystemd metered = metered(systemd);
    assertThatThrownBy(() -> metered.start(WEB)).isInstanceOf(SystemdException.class);
    assertThat(metrics.of(Metric.FLEET_AGENT_STARTS_TOTAL, "refused")).isEqualTo(1);
    assertThat(metrics.of(Metric.FLEET_SYSTEMD_CALL_FAILURES_TOTAL, "start")).isEqualTo(1);
  }

  @Test
  void theTimeOfAReloadIsMeasured() {
    metered(new FakeSystemd(directory)).reload();
    assertThat(metrics.has(Metric.FLEET_SYSTEMD_CALL_SECONDS, "reload")).isTrue();
  }

  @Test
  void lostConnectionsAreCounted() {
    MeteredSystemd metered = metered(new FakeSystemd(directory));
    assertThat(metered.isConnected()).isTrue();
    listener.orElseThrow().disconnected("systemd was re-executed");
    assertThat(metered.isConnected()).isFalse();
    assertThat(metrics.of(Metric.FLEET_SYSTEMD_DISCONNECTS_TOTAL)).isEqualTo(1);
    listener.orElseThrow().reconnected();
    assertThat(metered.isConnected()).isTrue();
  }
}
