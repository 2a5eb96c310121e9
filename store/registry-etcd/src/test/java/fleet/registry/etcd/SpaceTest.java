package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import fleet.core.testing.Await;
import fleet.registry.CompactedException;
import fleet.registry.Entry;
import fleet.registry.Outcome.Committed;
import fleet.registry.Recorder;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.maintenance.AlarmMember;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** How large etcd grows, and what is forgotten in time. */
class SpaceTest {

  private static final int QUOTA = 16 << 20;

  @TempDir Path directory;
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

  @BeforeEach
  void listen() {
    logged.start();
    logger().addAppender(logged);
  }

  @AfterEach
  void stopListening() {
    logger().detachAppender(logged);
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(SpaceWarning.class);
  }

  private static EtcdOptions options(EtcdServer etcd, long quota, Optional<Duration> compactAfter) {
    return new EtcdOptions(
        List.of(etcd.client()),
        "/fleet/",
        "space",
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Optional.empty(),
        Optional.empty(),
        quota,
        compactAfter);
  }

  @Test
  void halfTheQuotaIsWarnedOfOnceForEachCrossing() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory, "--quota-backend-bytes", "" + QUOTA)) {
      EtcdOptions options = options(etcd, QUOTA, Optional.empty());
      try (EtcdClient connection = new EtcdClient(options);
          EtcdRegistry registry = Registries.open(etcd.client())) {
        SpaceWarning space = new SpaceWarning(connection);
        space.run();
        assertThat(logged.list).isEmpty();

        String large = "x".repeat(1 << 20);
        for (int i = 0; i < 10; i++) {
          registry.commit(Transaction.when().put("large", i + large).build());
        }
        lookUntilTold(space, 1);
        space.run();
        assertThat(logged.list)
            .singleElement()
            .satisfies(warning -> {
              assertThat(warning.getLevel()).isEqualTo(Level.WARN);
              assertThat(warning.getFormattedMessage())
                  .contains(etcd.client().toString(), "16 MiB", "etcdctl defrag");
            });

        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    registry.commit(Transaction.when().put("large", i + large).build());
                  }
                })
            .isInstanceOf(RegistryException.class)
            .hasMessageContaining("etcdctl alarm disarm");
        space.run();
        space.run();
        assertThat(logged.list).hasSize(2);
        assertThat(logged.list.getLast().getLevel()).isEqualTo(Level.ERROR);
        assertThat(logged.list.getLast().getFormattedMessage()).contains("NOSPACE", "disarm");

        etcd.etcdctl("compact", "--physical", "" + registry.read("").revision());
        etcd.etcdctl("defrag");
        etcd.etcdctl("alarm", "disarm");
        space.run();
        assertThat(logged.list).hasSize(2);
        for (int i = 0; i < 10; i++) {
          registry.commit(Transaction.when().put("large", i + large).build());
        }
        lookUntilTold(space, 3);
        assertThat(logged.list).as("after the next crossing").hasSize(3);
      }
    }
  }

  /** etcd has answered before its file has grown. */
  private void lookUntilTold(SpaceWarning space, int messages) throws InterruptedException {
    Await.until(() -> {
      space.run();
      return logged.list.size() >= messages;
    });
  }

  @Test
  void aFullEtcdTakesNoPutsUntilThereIsRoomAgainButReadsAndDeletes() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory, "--quota-backend-bytes", "" + QUOTA);
        EtcdRegistry registry = Registries.open(etcd.client())) {
      String large = "x".repeat(1 << 20);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 64; i++) {
                  registry.commit(Transaction.when().put("k/" + i, large).build());
                }
              })
          .isInstanceOf(RegistryException.class)
          .hasMessageContaining("NOSPACE")
          .hasMessageStartingWith("nothing written");
      List<Entry> kept = registry.read("k/").entries();
      assertThat(kept).hasSizeBetween(5, 20);
      for (Entry entry : kept) {
        assertThat(registry.commit(Transaction.when().delete(entry.key()).build()))
            .isInstanceOf(Committed.class);
      }
      makeRoom(etcd.client(), registry.read("").revision());
      assertThat(registry.commit(Transaction.when().put("a", "1").build()))
          .isInstanceOf(Committed.class);
    }
  }

  private static void makeRoom(URI etcd, long revision) {
    try (Client client = Client.builder().endpoints(etcd).build()) {
      client.getKVClient().compact(revision).join();
      client.getMaintenanceClient().defragmentMember(etcd.toString()).join();
      for (AlarmMember alarm : client.getMaintenanceClient().listAlarms().join().getAlarms()) {
        client.getMaintenanceClient().alarmDisarm(alarm).join();
      }
    }
  }

  @Test
  void aFullEtcdStillRenewsLeasesAndSaysWhyItGrantsNone() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory, "--quota-backend-bytes", "" + QUOTA);
        EtcdRegistry registry = Registries.open(etcd.client())) {
      var lease = registry.grant(Duration.ofSeconds(30));
      String large = "x".repeat(1 << 20);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 30; i++) {
                  registry.commit(Transaction.when().put("large", i + large).build());
                }
              })
          .hasMessageContaining("NOSPACE");
      assertThat(lease.renew()).isTrue();
      assertThatThrownBy(() -> registry.grant(Duration.ofSeconds(5)))
          .isInstanceOf(RegistryException.class)
          .hasMessageContaining("NOSPACE");
    }
  }

  @Test
  void oldChangesAreForgottenWhereThatIsConfigured() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        EtcdRegistry registry =
            EtcdRegistry.open(
                options(etcd, EtcdOptions.DEFAULT_QUOTA, Optional.of(Duration.ofMillis(200))))) {
      registry.commit(Transaction.when().put("a", "1").build());
      Snapshot old = registry.read("");
      registry.commit(Transaction.when().put("a", "2").build());
      try (Compaction _ = registry.startCompacting().orElseThrow()) {
        Await.until(() -> isForgotten(registry, old));
      }
      assertThat(registry.read("").entries()).hasSize(1);
    }
  }

  private static boolean isForgotten(EtcdRegistry registry, Snapshot old) {
    try {
      registry.watch("", old, new Recorder()).close();
      return false;
    } catch (CompactedException e) {
      return true;
    }
  }

  @Test
  void nothingIsForgottenWhereThatIsNotConfigured() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        EtcdRegistry registry = Registries.open(etcd.client())) {
      assertThat(registry.startCompacting()).isEmpty();
    }
  }
}
