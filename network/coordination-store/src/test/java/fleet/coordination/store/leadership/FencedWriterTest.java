package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.Leadership.Term;
import fleet.coordination.store.TestCluster;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.etcd.FaultProxy;
import fleet.registry.records.Keys;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Writes in the name of a leader's term count as long as the term lasts, and no longer. */
class FencedWriterTest extends ContestTest {

  private static final String KEY = "placement/web.service";

  private static Outcome write(Contestant writer, Term term, String value) {
    return writer.registry.commit(
        Transaction.when().createdAt(Keys.LEADER, term.token()).put(KEY, value).build());
  }

  @Test
  void aWriteThatWasSentDuringTheTermAndArrivesAfterItIsRefused() throws Exception {
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    Contestant leader =
        contestant(
            "leader",
            opened(TestCluster.open(ETCD.prefix(), "leader", Duration.ofMinutes(1), proxy.uri())));
    Contestant standby = contestant("standby");
    Term first = leader.campaign().awaitLead();
    standby.campaign().awaitFollowing();
    assertThat(write(leader, first, "in time")).isInstanceOf(Outcome.Committed.class);

    proxy.holdRequests();
    proxy.holdAnswers();
    CompletableFuture<Outcome> underWay =
        CompletableFuture.supplyAsync(
            () -> write(leader, first, "too late"), Thread::startVirtualThread);
    FaultProxy.Wire wire = proxy.awaitHeldRequest("too late");
    end(standby.leader().lease());
    Term second = standby.awaitLead();
    assertThat(leader.leads()).as("it has not heard yet").isTrue();
    assertThat(write(standby, second, "standby")).isInstanceOf(Outcome.Committed.class);

    wire.letGo();
    assertThat(store.get(KEY).orElseThrow().value()).isEqualTo("standby");
    assertThat(underWay).isNotDone();
    proxy.heal();
    assertThat(underWay.get()).isInstanceOf(Outcome.Refused.class);
    leader.awaitRetirement();
    assertThat(store.get(KEY).orElseThrow().value()).isEqualTo("standby");
  }
}
