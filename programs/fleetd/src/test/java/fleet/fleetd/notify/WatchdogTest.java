package fleet.fleetd.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchdogTest {
  @TempDir Path directory;

  @Test
  void intervalIsHalfOfWhatSystemdAllows() {
    assertThat(Watchdog.interval(Map.of("WATCHDOG_USEC", "30000000"), 7))
        .contains(Duration.ofSeconds(15));
    assertThat(Watchdog.interval(Map.of("WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "7"), 7))
        .contains(Duration.ofSeconds(15));
  }

  @Test
  void noWatchdogWhereSystemdWatchesNobodyOrAnother() {
    assertThat(Watchdog.interval(Map.of(), 7)).isEmpty();
    assertThat(Watchdog.interval(Map.of("WATCHDOG_USEC", "1000", "WATCHDOG_PID", "8"), 7))
        .isEmpty();
    assertThat(Watchdog.interval(Map.of("WATCHDOG_USEC", "0"), 7)).isEmpty();
    assertThat(Watchdog.interval(Map.of("WATCHDOG_USEC", "soon"), 7)).isEmpty();
  }

  @Test
  void signsOfLifeComeForAsLongAsAllIsWell() throws Throwable {
    String address = directory.resolve("notify").toString();
    Map<String, String> environment = Map.of("NOTIFY_SOCKET", address, "WATCHDOG_USEC", "2000");
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch trouble = new CountDownLatch(3);
    HealthProbe probe =
        new HealthProbe() {
          @Override
          public Optional<String> trouble() {
            if (asked.incrementAndGet() <= 3) {
              return Optional.empty();
            }
            trouble.countDown();
            return Optional.of("the event thread does not answer");
          }

          @Override
          public String status() {
            return asked.get() < 3 ? "1 unit" : "2 units";
          }
        };
    try (DatagramReceiver systemd = DatagramReceiver.bind(address);
        ServiceNotifier notifier = ServiceNotifier.of(environment)) {
      try (Watchdog _ = Watchdog.start(environment, notifier, probe).orElseThrow()) {
        trouble.await();
      }
      notifier.status("last");

      assertThat(systemd.receive()).isEqualTo("WATCHDOG=1\nSTATUS=1 unit");
      assertThat(systemd.receive()).isEqualTo("WATCHDOG=1");
      assertThat(systemd.receive()).isEqualTo("WATCHDOG=1\nSTATUS=2 units");
      assertThat(systemd.receive()).isEqualTo("STATUS=last");
    }
  }
}
