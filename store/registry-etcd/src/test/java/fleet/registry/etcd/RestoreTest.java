package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.AnotherStoreException;
import fleet.registry.Entry;
import fleet.registry.Outcome.Committed;
import fleet.registry.Recorder;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A backup of etcd that is restored under handles that know what came after it. */
class RestoreTest {

  @TempDir Path directory;

  private static long put(EtcdRegistry registry, String key, String value) {
    var outcome = registry.commit(Transaction.when().put(key, value).build());
    assertThat(outcome).isInstanceOf(Committed.class);
    return outcome.revision();
  }

  /**
   * With the cluster's old token etcd cannot be told from the one that was; with a new one it can.
   */
  @ParameterizedTest
  @ValueSource(strings = {"etcd-cluster", "restored"})
  void aRestoredStoreIsAnotherOneToAllWhoKnewIt(String token) throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        EtcdRegistry leader = Registries.open(List.of(etcd.client()), "leader", seconds(1));
        EtcdRegistry agent = Registries.open(List.of(etcd.client()), "agent", seconds(1))) {
      put(leader, "a", "1");
      Recorder all = new Recorder();
      Recorder own = new Recorder();
      Snapshot before = agent.read("own/");
      try (Watch _ = leader.watch("", leader.read(""), all);
          Watch _ = agent.watch("own/", before, own)) {
        etcd.backUp(directory.resolve("backup"));
        all.until(put(leader, "a", "2"));

        etcd.restore(directory.resolve("backup"), token);

        assertThat(all.failure())
            .isInstanceOf(AnotherStoreException.class)
            .hasMessageContaining("backup")
            .hasMessageContaining("restart fleetd");
        assertThat(own.failure()).isInstanceOf(AnotherStoreException.class);
      }
      for (EtcdRegistry old : List.of(leader, agent)) {
        assertThatThrownBy(() -> put(old, "b", "1")).isInstanceOf(AnotherStoreException.class);
        assertThatThrownBy(() -> old.get("a")).isInstanceOf(AnotherStoreException.class);
        assertThatThrownBy(() -> old.watch("", before, own))
            .isInstanceOf(AnotherStoreException.class);
      }
      try (EtcdRegistry again = Registries.open(etcd.client());
          EtcdRegistry third = Registries.open(etcd.client())) {
        assertThat(again.storeId()).isNotEqualTo(leader.storeId()).isEqualTo(third.storeId());
        assertThat(again.read("").entries()).extracting(Entry::value).containsExactly("1");
        put(again, "b", "2");
      }
    }
  }

  @Test
  void whoWasAwayUntilTheNewStoreWentPastTheOldOneWritesNothing() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry leader = Registries.open(List.of(etcd.client()), "leader", seconds(1));
        EtcdRegistry away = Registries.open(List.of(proxy.uri()), "away", seconds(1))) {
      put(away, "a", "1");
      Recorder recorder = new Recorder();
      etcd.backUp(directory.resolve("backup"));
      long old = put(away, "a", "2");
      Entry seen = away.get("a").orElseThrow();
      try (Watch _ = away.watch("", away.read(""), recorder)) {
        put(leader, "b", "1");
        recorder.next();
        proxy.cut();
        etcd.restore(directory.resolve("backup"), "etcd-cluster");
        assertThatThrownBy(() -> put(leader, "b", "2")).isInstanceOf(AnotherStoreException.class);
        try (EtcdRegistry again = Registries.open(etcd.client())) {
          while (put(again, "c", "") < old + 20) {
            // Revisions are given out once more.
          }
          proxy.heal();
          assertThat(recorder.failure()).isInstanceOf(AnotherStoreException.class);
          Transaction late = Transaction.when().unmodified(seen).put("a", "3").build();
          assertThatThrownBy(() -> away.commit(late)).isInstanceOf(AnotherStoreException.class);
          assertThat(again.get("a")).map(Entry::value).contains("1");
        }
      }
    }
  }

  @Test
  void aBackupRestoredWhileNobodyLookedHasAnotherNameInANewCluster() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory)) {
      String id;
      try (EtcdRegistry registry = Registries.open(etcd.client())) {
        id = registry.storeId();
      }
      etcd.backUp(directory.resolve("backup"));
      etcd.restore(directory.resolve("backup"), "restored");
      try (EtcdRegistry registry = Registries.open(etcd.client())) {
        assertThat(registry.storeId()).isNotEqualTo(id);
        put(registry, "a", "1");
      }
    }
  }

  /** Its commits alone must notice: it has not been told by any watch yet. */
  @Test
  void aStoreThatWasRenamedTakesNothingFromWhoKnowsItsOldName() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry direct = Registries.open(etcd.client());
        EtcdRegistry registry = Registries.open(List.of(proxy.uri()), "old", seconds(1))) {
      put(registry, "a", "1");
      etcd.etcdctl("put", "/fleet/.store/id", "another");
      assertThatThrownBy(() -> put(registry, "a", "2")).isInstanceOf(AnotherStoreException.class);
      assertThatThrownBy(() -> put(direct, "a", "3")).isInstanceOf(AnotherStoreException.class);
      try (EtcdRegistry again = Registries.open(etcd.client())) {
        assertThat(again.get("a")).map(Entry::value).contains("1");
      }
    }
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
