package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.api.MetricStore;
import fleet.core.audit.AuditLog;
import fleet.core.machine.Machine;
import fleet.core.testing.ServerPorts;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.config.ConfigurationReader;
import fleet.fleetd.machine.MachineFacts;
import fleet.fleetd.notify.DatagramReceiver;
import fleet.fleetd.notify.ServiceNotifier;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.etcd.EtcdOptions;
import fleet.registry.etcd.EtcdRegistry;
import fleet.registry.etcd.EtcdServer;
import fleet.registry.records.Keys;
import fleet.registry.records.MoveRecord;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that starts before what it needs. No systemd is there: that is the last it waits for.
 */
class ServerDaemonTest {

  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration FOR_EVER = Duration.ofMinutes(5);

  @TempDir Path directory;
  private final BlockingQueue<Exception> failed = new LinkedBlockingQueue<>();
  private DatagramReceiver systemd;
  private ServiceNotifier notifier;
  private Path socket;

  @BeforeEach
  void listen() throws Throwable {
    String address = directory.resolve("notify").toString();
    systemd = DatagramReceiver.bind(address);
    notifier = ServiceNotifier.of(Map.of("NOTIFY_SOCKET", address));
    socket = directory.resolve("api.sock");
  }

  @AfterEach
  void close() {
    notifier.close();
    systemd.close();
  }

  @Test
  void waitsForEtcdSaysSoToEverybodyAndGoesOnOnceItIsThere() throws Throwable {
    try (EtcdServer etcd = late();
        RunningDaemon waiting = ServerDaemon.start(startup(etcd), AT_ONCE)) {
      String said = "fleetd waits for etcd at " + etcd.client() + ", since ";
      awaitStatus(said, "it cannot be reached (Connection refused");
      assertThat(waiting.status()).startsWith(said);
      assertThat(waiting.trouble()).as("no reason to restart it").isEmpty();
      assertThat(waiting.canRelease()).isFalse();
      for (String path : List.of("/fleet/v1/units", "/fleet/v1/tokens", "/fleet/v1/machines")) {
        assertThat(ApiSocket.get(socket, path))
            .startsWith("HTTP/1.1 503 ")
            .contains("Retry-After: 1")
            .contains(said);
      }
      assertThat(ApiSocket.get(socket, "/healthz")).startsWith("HTTP/1.1 200 ");
      assertThat(ApiSocket.get(socket, "/readyz"))
          .startsWith("HTTP/1.1 503 ")
          .contains("not ready: " + said);
      assertThat(ApiSocket.get(socket, "/metrics")).contains("\nfleet_ready 0\n");

      etcd.restart();
      awaitStatus("fleetd waits for systemd, since ", "systemd's user manager is not there");
      assertThat(ApiSocket.get(socket, "/fleet/v1/units")).contains("fleetd waits for systemd");
      assertThat(failed).isEmpty();
    }
    assertThat(socket).doesNotExist();
  }

  @Test
  void aStartThatWaitsCanBeEnded() throws Throwable {
    BlockingQueue<Exception> ended = new LinkedBlockingQueue<>();
    StartupInputs startup = startup("http://127.0.0.1:" + ServerPorts.take(1).getFirst());
    Thread start =
        Thread.ofVirtual()
            .start(() -> {
              try {
                ServerDaemon.start(startup, FOR_EVER).close();
              } catch (Exception e) {
                ended.add(e);
              }
            });
    awaitStatus("fleetd waits for etcd", "");
    start.interrupt();
    assertThat(ended.take()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void waitsForARegistryThatIsJustBeingMoved() throws Throwable {
    try (EtcdServer etcd = EtcdServer.start(directory.resolve("etcd"))) {
      String record = new MoveRecord("another", "m9", Instant.EPOCH).json();
      try (EtcdRegistry shared = EtcdRegistry.open(options(etcd.client()))) {
        Outcome _ = shared.commit(Transaction.when().put(Keys.MOVED, record).build());
      }
      try (RunningDaemon _ = ServerDaemon.start(startup(etcd), AT_ONCE)) {
        awaitStatus("fleetd waits for etcd", "the registry of machine m9 is just being moved");
      }
    }
  }

  @Test
  void aMoveThatIsRefusedIsForAPersonToCorrect() throws Throwable {
    try (EtcdServer etcd = EtcdServer.start(directory.resolve("etcd"))) {
      try (EtcdRegistry others = EtcdRegistry.open(options(etcd.client()))) {
        Outcome _ = others.commit(Transaction.when().put(Keys.UNITS + "other", "{}").build());
      }
      Files.createDirectories(directory.resolve("data"));
      try (EmbeddedRegistry embedded = EmbeddedRegistry.open(directory.resolve("data"))) {
        Outcome _ = embedded.commit(Transaction.when().put(Keys.UNITS + "own", "{}").build());
      }
      StartupInputs startup = startup(etcd);

      assertThatThrownBy(() -> ServerDaemon.start(startup, FOR_EVER))
          .isInstanceOfSatisfying(
              FatalException.class, why -> assertThat(why.isToCorrect()).isTrue())
          .hasMessageContaining("which is not empty: 1 key is in it (unit/other)");
      assertThat(socket).doesNotExist();
    }
  }

  @Test
  void whatIsToldLateEndsFleetdAsWell() throws Throwable {
    Files.createDirectories(directory.resolve("data"));
    try (EmbeddedRegistry embedded = EmbeddedRegistry.open(directory.resolve("data"))) {
      Outcome _ = embedded.commit(Transaction.when().put(Keys.UNITS + "own", "{}").build());
    }
    try (EtcdServer etcd = EtcdServer.start(directory.resolve("etcd"))) {
      try (EtcdRegistry others = EtcdRegistry.open(options(etcd.client()))) {
        Outcome _ = others.commit(Transaction.when().put(Keys.UNITS + "other", "{}").build());
      }
      etcd.kill();
      try (RunningDaemon _ = ServerDaemon.start(startup(etcd), AT_ONCE)) {
        awaitStatus("fleetd waits for etcd", "");
        etcd.restart();
        assertThat(failed.take()).hasMessageContaining("which is not empty");
      }
    }
  }

  @Test
  void aRegistryOfThisMachineThatCannotBeOpenedIsNotWaitedFor() throws Throwable {
    Files.createDirectories(directory.resolve("data"));
    try (EmbeddedRegistry embedded = EmbeddedRegistry.open(directory.resolve("data"))) {
      embedded.movedTo("etcd elsewhere");
    }
    StartupInputs startup = startup("");
    assertThatThrownBy(() -> ServerDaemon.start(startup, FOR_EVER))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("was moved to etcd elsewhere");
  }

  private void awaitStatus(String start, String part) throws Throwable {
    String message = systemd.receive();
    while (!(message.startsWith("STATUS=" + start) && message.contains(part))) {
      message = systemd.receive();
    }
  }

  private static EtcdOptions options(URI etcd) {
    return new EtcdOptions(
        List.of(etcd),
        "/_coreos.com/fleet/",
        "test",
        Duration.ofSeconds(5),
        Duration.ofSeconds(20),
        Optional.empty(),
        Optional.empty(),
        EtcdOptions.DEFAULT_QUOTA,
        Optional.empty());
  }

  /** One that is not there yet. */
  private EtcdServer late() throws Exception {
    EtcdServer etcd = EtcdServer.start(directory.resolve("etcd"));
    etcd.kill();
    return etcd;
  }

  private StartupInputs startup(EtcdServer etcd) throws Exception {
    return startup(etcd.client().toString());
  }

  private StartupInputs startup(String etcd) throws Exception {
    Path file = directory.resolve("fleet.conf");
    Files.writeString(
        file,
        """
        etcd_servers=%2$s
        data_directory=%1$s/data
        runtime_directory=%1$s
        units_directory=%1$s/units
        api_socket=%1$s/api.sock
        rpc_port=%3$d
        rpc_insecure=true
        systemd_user=true
        """
            .formatted(directory, etcd, ServerPorts.take(1).getFirst()));
    Files.createDirectories(directory.resolve("data"));
    Configuration configuration =
        new ConfigurationReader(Map.of(), Map.of(), file).read(Optional.of(file)).configuration();
    Machine machine = new Machine("m1", "boot-1", "127.0.0.1", Map.of(), "test");
    return new StartupInputs(
        configuration,
        MachineFacts.fixed(configuration, machine),
        notifier,
        Map.of("XDG_RUNTIME_DIR", directory.toString()),
        failed::add,
        AuditLog.NONE,
        new MetricStore());
  }
}
