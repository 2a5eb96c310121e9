package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.CompactedException;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Outcome.Committed;
import fleet.registry.Recorder;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import io.etcd.jetcd.Client;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches and reads while etcd, or the way to it, is gone. */
class EtcdOutageTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  @RegisterExtension static final SharedEtcd ETCD = new SharedEtcd();

  @TempDir Path directory;
  private EtcdServer etcd;

  @BeforeEach
  void takeEtcd() {
    etcd = ETCD.server();
  }

  private static long put(EtcdRegistry registry, String key, String value) {
    var outcome = registry.commit(Transaction.when().put(key, value).build());
    assertThat(outcome).isInstanceOf(Committed.class);
    return outcome.revision();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aWatchThroughABreakingWireMissesNothingAndDoublesNothing(long seed) throws Exception {
    try (FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry direct = Registries.open(etcd.client(), ETCD, "direct", TIMEOUT);
        EtcdRegistry registry = Registries.open(proxy.uri(), ETCD, "proxied", TIMEOUT)) {
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
    try (EtcdRegistry registry = Registries.open(etcd.client(), ETCD, "one", TIMEOUT)) {
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
    try (FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry direct = Registries.open(etcd.client(), ETCD, "direct", TIMEOUT);
        EtcdRegistry registry = Registries.open(proxy.uri(), ETCD, "proxied", TIMEOUT)) {
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
    try (FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry direct = Registries.open(etcd.client(), ETCD, "direct", TIMEOUT);
        EtcdRegistry registry = Registries.open(proxy.uri(), ETCD, "proxied", TIMEOUT)) {
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

  /** Deltas add up to what is there, whatever was merged. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void deltasThroughCutsAndCompactionsAddUpToWhatIsThere(long seed) throws Exception {
    try (FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry direct = Registries.open(etcd.client(), ETCD, "direct", TIMEOUT);
        EtcdRegistry registry = Registries.open(proxy.uri(), ETCD, "proxied", TIMEOUT)) {
      Random random = new Random(seed);
      SortedMap<String, Entry> state = new TreeMap<>();
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
          delta.changes().forEach(change -> take(change, state));
        }
      }
      recorder.assertNothingMore();
      assertThat(state.values()).containsExactlyInAnyOrderElementsOf(direct.read("p/").entries());
    }
  }

  private static void take(Change change, Map<String, Entry> state) {
    switch (change) {
      case Change.Written written -> state.put(written.key(), written.entry());
      case Change.Deleted deleted -> assertThat(state.remove(deleted.key())).isNotNull();
    }
  }

  /** etcd would begin such a watch, but it has dropped that deletion. */
  @Test
  void aDeletionAtTheVeryRevisionOfACompactionIsNotMissed() throws Exception {
    try (EtcdRegistry registry = Registries.open(etcd.client(), ETCD, "one", TIMEOUT)) {
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
    try (FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry registry = Registries.open(proxy.uri(), ETCD, "proxied", TIMEOUT)) {
      Recorder recorder = new Recorder();
      proxy.delay(Duration.ofMillis(100));
      try (Watch _ = registry.watch("", registry.read(""), recorder)) {
        long revision = put(registry, "a", "1");
        assertThat(recorder.next().revision()).isEqualTo(revision);
      }
    }
  }

  private static Snapshot at(long revision) {
    return new Snapshot(revision, List.of());
  }
}
