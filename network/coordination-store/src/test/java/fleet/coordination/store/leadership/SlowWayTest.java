package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.store.TestCluster;
import fleet.registry.Delta.Change;
import fleet.registry.Recorder;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.etcd.EtcdRegistry;
import fleet.registry.etcd.FaultProxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Leadership while etcd answers late. */
class SlowWayTest extends ContestTest {

  /** Renewals come late; what is left outlasts a pause of the machine that runs the tests. */
  private static final Duration LEASE = Duration.ofSeconds(10);

  /**
   * Engines with the same way to etcd, in a cluster of their own.
   *
   * @param delay each way; so an answer takes at least twice as long
   */
  private record SlowWay(Duration delay, FaultProxy proxy, Contestant leader, Contestant standby) {}

  private SlowWay slowWay(int delayMillis, int requestTimeoutMillis) throws Exception {
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    String way = delayMillis + "-" + requestTimeoutMillis;
    return new SlowWay(
        Duration.ofMillis(delayMillis),
        proxy,
        contestant(way, "leader", proxy, requestTimeoutMillis),
        contestant(way, "standby", proxy, requestTimeoutMillis));
  }

  private Contestant contestant(String way, String id, FaultProxy proxy, int timeoutMillis) {
    EtcdRegistry registry =
        opened(
            TestCluster.open(
                ETCD.prefix() + way + "/", id, Duration.ofMillis(timeoutMillis), proxy.uri()));
    return opened(new Contestant(Contestant.machine(id), registry, LEASE));
  }

  /** Several ways at once, as each waits for etcd's time. */
  @Test
  void aSlowWayToEtcdDeposesNobody() throws Exception {
    List<SlowWay> ways =
        List.of(
            slowWay(400, 1_000),
            slowWay(1_500, 8_000),
            slowWay(1_000, 1_000),
            slowWay(1_500, 1_000));
    for (SlowWay way : ways) {
      way.leader.campaign().awaitLead();
      way.standby.campaign().awaitFollowing();
    }
    List<Long> tokens = ways.stream().map(way -> way.leader.leader().created()).toList();
    ways.forEach(way -> way.proxy.delay(way.delay));
    awaitEndOfLongerLease();
    ways.forEach(SlowWayTest::assertToldNothing);
    for (SlowWay way : ways) {
      way.proxy.heal();
      way.leader.awaitRenewal();
      way.leader.settle();
      way.standby.settle();
    }
    ways.forEach(SlowWayTest::assertToldNothing);
    assertThat(ways).extracting(way -> way.leader.leader().created()).isEqualTo(tokens);
  }

  /** Waits for the end of a longer lease that begins now and is not renewed. */
  private void awaitEndOfLongerLease() {
    Recorder recorder = new Recorder();
    try (Watch _ = store.watch("longer", store.read("longer"), recorder)) {
      store.commit(Transaction.when().put("longer", "", store.grant(LEASE.plusSeconds(1))).build());
      recorder.next();
      assertThat(recorder.next().changes()).containsExactly(new Change.Deleted("longer"));
    }
  }

  private static void assertToldNothing(SlowWay way) {
    way.leader.assertToldNothing();
    way.standby.assertToldNothing();
  }
}
