package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.CompactedException;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Outcome.Committed;
import fleet.registry.Recorder;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.maintenance.AlarmMember;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches and reads while etcd, or the way to it, is gone. */
class OutageTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  @TempDir Path directory;

  private static long put(EtcdRegistry registry, String key, String value) {
    var outcome = registry.commit(Transaction.when().put(key, value).build());
    assertThat(outcome).isInstanceOf(Committed.class);
    return outcome.revision();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aWatchThroughABreakingWireMissesNothingAndDoublesNothing(long seed) throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry direct = Registries.open(etcd.client());
        EtcdRegistry registry = Registries.open(proxy.uri(), "proxied", TIMEOUT)) {
      Random random = new Random(seed);
      Recorder recorder = new Recorder();
      List<Long> revisions = new ArrayList<>();
      long start = put(direct, "p/first", "");
      try (Watch _ = registry.watch("p/", at(start), recorder)) {
        for (int i = 0; i < 300; i++) {
          revisions.add(put(direct, "p/" + random.nextInt(5), "" + i));
          switch (random.nextInt(20)) {
            case 0 -> proxy.resetAll();
            case 1 -> proxy.cut();
            case 2, 3, 4 -> proxy.heal();
            case 5 -> put(direct, "other", "" + i);
            default -> {}
          }
        }
        proxy.heal();
        assertThat(recorder.until(revisions.getLast()))
            .extracting(Delta::revision)
            .isEqualTo(revisions);
      }
      recorder.assertNothingMore();
    }
  }

  @Test
  void aWatchOutlivesARestartOfEtcd() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        EtcdRegistry registry = Registries.open(etcd.client(), "one", TIMEOUT)) {
      Recorder recorder = new Recorder();
      try (Watch _ = registry.watch("", registry.read(""), recorder)) {
        long before = put(registry, "a", "1");
        etcd.kill();
        etcd.restart();
        long after = put(registry, "a", "2");
        assertThat(recorder.until(after))
            .extracting(Delta::revision)
            .containsExactly(before, after);
      }
      assertThat(registry.get("a")).map(Entry::value).contains("2");
    }
  }

  @Test
  void aWatchThatWasAwayWhileEtcdForgotIsToldTheDifferenceAtOnce() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry direct = Registries.open(etcd.client());
        EtcdRegistry registry = Registries.open(proxy.uri(), "proxied", TIMEOUT)) {
      Recorder recorder = new Recorder();
      put(direct, "p/gone", "1");
      put(direct, "p/kept", "1");
      try (Watch _ = registry.watch("p/", direct.read("p/"), recorder)) {
        recorder.until(put(direct, "p/told and gone", "1"));
        recorder.until(put(direct, "p/changed", "1"));
        proxy.cut();
        put(direct, "other", "1");
        put(direct, "p/came and went", "1");
        put(direct, "p/changed", "2");
        put(direct, "p/made", "1");
        for (String gone : List.of("p/came and went", "p/gone", "p/told and gone")) {
          direct.commit(Transaction.when().delete(gone).build());
        }
        long last = put(direct, "p/\ud83d\ude00", "1");
        Snapshot now = direct.read("p/");
        compact(etcd.client(), last);
        proxy.heal();
        assertThat(recorder.next())
            .isEqualTo(
                new Delta(
                    last,
                    List.of(
                        new Change.Written(now.entries().get(0)),
                        new Change.Deleted("p/gone"),
                        new Change.Written(now.entries().get(2)),
                        new Change.Deleted("p/told and gone"),
                        new Change.Written(now.entries().get(3)))));
        long next = put(direct, "p/changed", "3");
        assertThat(recorder.next().revision()).isEqualTo(next);
      }
      recorder.assertNothingMore();
    }
  }

  @Test
  void aWatchThatMissedNothingOfItsOwnIsToldNothingAfterACompaction() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry direct = Registries.open(etcd.client());
        EtcdRegistry registry = Registries.open(proxy.uri(), "proxied", TIMEOUT)) {
      Recorder recorder = new Recorder();
      put(direct, "p/a", "1");
      try (Watch _ = registry.watch("p/", direct.read("p/"), recorder)) {
        proxy.cut();
        put(direct, "other", "1");
        compact(etcd.client(), put(direct, "other", "2"));
        proxy.heal();
        long next = put(direct, "p/a", "2");
        assertThat(recorder.next().revision()).isEqualTo(next);
      }
      recorder.assertNothingMore();
    }
  }

  /** Whatever was merged, somebody who takes in the deltas ends up with what is there. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void deltasThroughCutsAndCompactionsAddUpToWhatIsThere(long seed) throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry direct = Registries.open(etcd.client());
        EtcdRegistry registry = Registries.open(proxy.uri(), "proxied", TIMEOUT)) {
      Random random = new Random(seed);
      SortedMap<String, Entry> picture = new TreeMap<>();
      Recorder recorder = new Recorder();
      long last = 0;
      try (Watch _ = registry.watch("p/", direct.read("p/"), recorder)) {
        for (int i = 0; i < 400; i++) {
          String key = "p/" + random.nextInt(600);
          direct.commit(
              random.nextInt(3) == 0
                  ? Transaction.when().delete(key).build()
                  : Transaction.when().put(key, "" + i).build());
          switch (random.nextInt(25)) {
            case 0 -> proxy.cut();
            case 1 -> proxy.heal();
            case 2 -> compact(etcd.client(), direct.read("p/").revision());
            default -> {}
          }
        }
        proxy.heal();
        last = put(direct, "p/last", "");
        for (Delta delta : recorder.until(last)) {
          assertThat(delta.changes()).extracting(Change::key).doesNotHaveDuplicates();
          delta.changes().forEach(change -> take(change, picture));
        }
      }
      recorder.assertNothingMore();
      assertThat(picture.values()).containsExactlyInAnyOrderElementsOf(direct.read("p/").entries());
    }
  }

  private static void take(Change change, Map<String, Entry> picture) {
    switch (change) {
      case Change.Written written -> picture.put(written.key(), written.entry());
      case Change.Deleted deleted -> assertThat(picture.remove(deleted.key())).isNotNull();
    }
  }

  /** etcd would begin such a watch, but it has dropped that deletion. */
  @Test
  void aDeletionAtTheVeryRevisionOfACompactionIsNotMissed() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        EtcdRegistry registry = Registries.open(etcd.client())) {
      long written = put(registry, "a", "1");
      long deleted = registry.commit(Transaction.when().delete("a").build()).revision();
      put(registry, "b", "1");
      compact(etcd.client(), deleted);
      assertThatThrownBy(() -> registry.watch("", at(written), new Recorder()))
          .isInstanceOf(CompactedException.class);
      Recorder recorder = new Recorder();
      try (Watch _ = registry.watch("", at(deleted), recorder)) {
        assertThat(recorder.next().revision()).isGreaterThan(deleted);
      }
    }
  }

  private static void compact(URI etcd, long revision) {
    try (Client client = Client.builder().endpoints(etcd).build()) {
      client.getKVClient().compact(revision).join();
    }
  }

  @Test
  void aSlowWireIsNoFault() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry registry = Registries.open(proxy.uri(), "proxied", TIMEOUT)) {
      Recorder recorder = new Recorder();
      proxy.delay(Duration.ofMillis(100));
      try (Watch _ = registry.watch("", registry.read(""), recorder)) {
        long revision = put(registry, "a", "1");
        assertThat(recorder.next().revision()).isEqualTo(revision);
      }
    }
  }

  @Test
  void aFullEtcdTakesNoPutsUntilThereIsRoomAgainButReadsAndDeletes() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory, "--quota-backend-bytes", "" + (16 << 20));
        EtcdRegistry registry = Registries.open(etcd.client())) {
      String large = "x".repeat(1 << 20);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 64; i++) {
                  put(registry, "k/" + i, large);
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
      put(registry, "a", "1");
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
  void oneOfThreeMembersMayBeLostAndTwoMayNot() throws Exception {
    List<EtcdServer> members = EtcdServer.cluster(directory, 3);
    List<URI> uris = members.stream().map(EtcdServer::client).toList();
    try (EtcdRegistry registry =
        EtcdRegistry.open(
            Registries.options(uris, "one", Duration.ofSeconds(3), Duration.ofSeconds(8)))) {
      Recorder recorder = new Recorder();
      try (Watch _ = registry.watch("", registry.read(""), recorder)) {
        put(registry, "a", "0");
        members.get(0).kill();
        long last = 0;
        for (int i = 1; i <= 20; i++) {
          last = put(registry, "a", "" + i);
        }
        assertThat(recorder.until(last)).hasSize(21);
        members.get(1).kill();
        assertThatThrownBy(() -> registry.get("a"))
            .isInstanceOf(RegistryException.class)
            .hasMessageContaining("etcd at");
        members.get(1).restart();
        long again = put(registry, "b", "1");
        assertThat(recorder.next().revision()).isEqualTo(again);
      }
    } finally {
      members.forEach(EtcdServer::close);
    }
  }

  private static Snapshot at(long revision) {
    return new Snapshot(revision, List.of());
  }
}
