package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.api.MetricStore;
import fleet.core.audit.AuditLog;
import fleet.core.machine.Machine;
import fleet.core.testing.ServerPorts;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.config.ConfigurationReader;
import fleet.fleetd.machine.MachineFacts;
import fleet.fleetd.notify.DatagramReceiver;
import fleet.fleetd.notify.ServiceNotifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine whose cluster does not let it in yet. */
class WaitingToJoinTest {

  private static final String TOKEN =
      "FLEET-1-01234567-%s-%s".formatted("0".repeat(64), "0".repeat(32));

  @TempDir Path directory;

  @Test
  void whoeverAsksItIsToldAtOnceWhatItWaitsFor() throws Throwable {
    int port = ServerPorts.take(1).getFirst();
    Path file = directory.resolve("fleet.conf");
    Files.writeString(
        file,
        """
        join=127.0.0.1:%2$d
        token=%3$s
        data_directory=%1$s
        runtime_directory=%1$s
        units_directory=%1$s
        api_socket=%1$s/api.sock
        """
            .formatted(directory, port, TOKEN));
    String address = directory.resolve("notify").toString();
    try (DatagramReceiver systemd = DatagramReceiver.bind(address);
        ServiceNotifier notifier = ServiceNotifier.of(Map.of("NOTIFY_SOCKET", address))) {
      Configuration configuration =
          new ConfigurationReader(Map.of(), Map.of(), file).read(Optional.of(file)).configuration();
      Machine machine = new Machine("m1", "boot-1", "127.0.0.1", Map.of(), "test");
      Thread starting =
          Thread.ofVirtual()
              .start(() ->
                  start(
                      new StartupInputs(
                          configuration,
                          MachineFacts.fixed(configuration, machine),
                          notifier,
                          Map.of(),
                          _ -> {},
                          AuditLog.NONE,
                          new MetricStore())));

      while (!systemd.receive().contains("waiting to join")) {
        assertThat(starting.isAlive()).isTrue();
      }

      for (String path : new String[] {"/fleet/v1/units", "/fleet/v1/tokens"}) {
        assertThat(ApiSocket.get(directory.resolve("api.sock"), path))
            .startsWith("HTTP/1.1 503 ")
            .contains(
                "this machine has not joined its cluster yet: server 127.0.0.1:" + port + ": ")
            .contains("Connection refused");
      }
      starting.interrupt();
      starting.join();
      assertThat(directory.resolve("api.sock")).doesNotExist();
    }
  }

  private static void start(StartupInputs startup) {
    try {
      Daemon.start(startup).close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
