package fleet.fleetd.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceNotifierTest {
  @TempDir Path directory;

  @Test
  void everyMessageReachesTheSocket() throws Throwable {
    String address = directory.resolve("notify").toString();
    try (DatagramReceiver systemd = DatagramReceiver.bind(address);
        ServiceNotifier notifier = ServiceNotifier.of(Map.of("NOTIFY_SOCKET", address))) {
      notifier.ready("2 units\nrun");
      assertThat(systemd.receive()).isEqualTo("READY=1\nSTATUS=2 units run");
      notifier.status("3 units");
      assertThat(systemd.receive()).isEqualTo("STATUS=3 units");
      notifier.stopping("bye");
      assertThat(systemd.receive()).isEqualTo("STOPPING=1\nSTATUS=bye");
      notifier.extendTimeout(Duration.ofSeconds(5));
      assertThat(systemd.receive()).isEqualTo("EXTEND_TIMEOUT_USEC=5000000");
      notifier.alive("other");
      assertThat(systemd.receive()).isEqualTo("WATCHDOG=1");
    }
  }

  @Test
  void reloadCarriesTheMonotonicTime() throws Throwable {
    String address = directory.resolve("notify").toString();
    try (DatagramReceiver systemd = DatagramReceiver.bind(address);
        ServiceNotifier notifier = ServiceNotifier.of(Map.of("NOTIFY_SOCKET", address))) {
      long before = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
      notifier.reloading();
      long after = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());

      String message = systemd.receive();

      assertThat(message).startsWith("RELOADING=1\nMONOTONIC_USEC=");
      assertThat(Long.parseLong(message.substring(message.lastIndexOf('=') + 1)))
          .isBetween(before, after);
    }
  }

  @Test
  void abstractAddressIsReached() throws Throwable {
    String address = "@fleet-test-" + UUID.randomUUID();
    try (DatagramReceiver systemd = DatagramReceiver.bind(address);
        ServiceNotifier notifier = ServiceNotifier.of(Map.of("NOTIFY_SOCKET", address))) {
      notifier.status("here");
      assertThat(systemd.receive()).isEqualTo("STATUS=here");
    }
  }

  @Test
  void nobodyListeningDoesNoHarm() {
    String gone = directory.resolve("gone").toString();
    String tooLong = "/" + "x".repeat(200);
    for (Map<String, String> environment :
        List.of(
            Map.<String, String>of(),
            Map.of("NOTIFY_SOCKET", gone),
            Map.of("NOTIFY_SOCKET", "vsock:2:1"),
            Map.of("NOTIFY_SOCKET", tooLong))) {
      try (ServiceNotifier notifier = ServiceNotifier.of(environment)) {
        assertThatCode(() -> notifier.ready("ready")).doesNotThrowAnyException();
      }
    }
  }
}
