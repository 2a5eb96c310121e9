package fleet.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.Leadership.Term;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.etcd.EtcdRegistry;
import fleet.registry.etcd.EtcdServer;
import fleet.registry.etcd.FaultProxy;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a leader writes in the name of its term counts as long as that lasts, and no longer. */
class FencedWriterTest {

  private static final String KEY = "placement/web.service";

  @TempDir Path directory;

  private static Outcome write(Contestant writer, Term term) {
    return writer.registry.commit(
        Transaction.when()
            .createdAt(Keys.LEADER, term.token())
            .put(KEY, writer.machine.id())
            .build());
  }

  @Test
  void aWriteThatWasSentDuringTheTermAndArrivesAfterItIsRefused() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory);
        FaultProxy proxy = new FaultProxy(etcd.client());
        EtcdRegistry store = Contestant.open("test", etcd.client());
        Contestant leader =
            new Contestant(
                "leader", Contestant.open("leader", Duration.ofSeconds(8), proxy.uri()));
        Contestant standby = new Contestant("standby", etcd.client())) {
      Term first = leader.campaign().awaitLead();
      standby.campaign().assertToldNothingFor(Duration.ofMillis(500));
      assertThat(write(leader, first)).isInstanceOf(Outcome.Committed.class);

      proxy.delay(Duration.ofSeconds(3));
      CompletableFuture<Outcome> underWay =
          CompletableFuture.supplyAsync(() -> write(leader, first));
      store.lease(leader(store), Contestant.LEASE).revoke();
      Term second = standby.awaitLead(Duration.ofMillis(2_500));
      assertThat(underWay).isNotDone();
      assertThat(leader.leads()).as("it has not heard yet").isTrue();
      assertThat(write(standby, second)).isInstanceOf(Outcome.Committed.class);

      assertThat(underWay.get(20, TimeUnit.SECONDS)).isInstanceOf(Outcome.Refused.class);
      assertThat(store.get(KEY).orElseThrow().value()).isEqualTo("standby");
      proxy.heal();
      leader.awaitRetirement();
    }
  }

  private static long leader(EtcdRegistry store) {
    return store.get(Keys.LEADER).orElseThrow().lease();
  }
}
