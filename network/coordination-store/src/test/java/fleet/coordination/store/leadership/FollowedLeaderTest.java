package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.coordination.EventThread;
import fleet.coordination.store.StoreTest;
import fleet.core.testing.Await;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The leader, followed on a real etcd. */
class FollowedLeaderTest extends StoreTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private void leads(String address, boolean rpc) {
    LeaderRecord record = new LeaderRecord("m1", "boot", address, "2.0.0", 1, rpc);
    engineSide.commit(Transaction.when().put(Keys.LEADER, record.json()).build());
  }

  @Test
  void onlyOneThatIsSpokenToHasAnAddress() throws Exception {
    var leader = closed(new FollowedLeader(machineSide, EventThread::new, PATIENCE));
    assertThat(leader.rpcAddress()).isEmpty();
    assertThat(leader.isSpokenTo(true)).isTrue();
    assertThat(leader.isSpokenTo(false)).isFalse();

    leads("10.0.0.1:1", true);
    Await.until(() -> leader.rpcAddress().equals(Optional.of("10.0.0.1:1")));
    assertThat(leader.isSpokenTo(false)).isTrue();

    leads("10.0.0.2:1", false);
    Await.until(() -> leader.rpcAddress().isEmpty());
    assertThat(leader.isSpokenTo(true)).isFalse();
    assertThat(leader.isSilent()).isTrue();
  }

  @Test
  void whereNobodyLeadsTheLastOneCounts() throws Exception {
    leads("10.0.0.1:1", true);
    var leader = closed(new FollowedLeader(machineSide, EventThread::new, PATIENCE));
    assertThat(leader.rpcAddress()).contains("10.0.0.1:1");

    engine.delete(Keys.LEADER);

    Await.until(() -> leader.rpcAddress().isEmpty());
    assertThat(leader.isSpokenTo(false)).isTrue();
  }

  @Test
  void itIsRememberedWhileTheStoreIsAwayAndUnknownBefore() throws Exception {
    leads("10.0.0.1:1", true);
    var leader = closed(new FollowedLeader(machineSide, EventThread::new, PATIENCE));
    assertThat(leader.rpcAddress()).contains("10.0.0.1:1");

    var registry = openRegistry("late");
    etcd.kill();

    assertThat(leader.rpcAddress()).contains("10.0.0.1:1");
    var late = closed(new FollowedLeader(registry, EventThread::new, Duration.ofMillis(200)));
    assertThatThrownBy(late::rpcAddress)
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("not answered");
  }
}
