package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.Leadership.Term;
import fleet.coordination.store.LeaderKeys;
import fleet.registry.etcd.FaultProxy;
import fleet.registry.records.Keys;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Leadership while etcd, or the way to it, has its troubles. */
class LeaderFaultsTest extends ContestTest {

  private static final Duration LONGEST_END = Duration.ofSeconds(8);

  @Test
  void brokenConnectionsToEtcdDeposeNobody() throws Exception {
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    Contestant leader = contestant("leader", proxy.uri()).campaign();
    Term term = leader.awaitLead();
    Contestant standby = standby("standby", proxy.uri());
    Random random = new Random(1);
    for (int i = 0; i < 10; i++) {
      if (random.nextBoolean()) {
        // Has a renewal begin that breaks off.
        leader.skip(Contestant.LEASE);
      }
      proxy.resetAll();
      leader.awaitRenewal();
    }
    assertNobodyDeposed(leader, term, standby);
  }

  @Test
  void aBrokenLineToALivingLeaderDeposesNobody() throws Exception {
    ServerSocket door = opened(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    FaultProxy wire = opened(new FaultProxy(URI.create("http://127.0.0.1:" + door.getLocalPort())));
    LeaderKeys.Impostor impostor = LeaderKeys.impostor(store, wire.uri().getAuthority());
    Contestant standby = standby("standby");
    for (int i = 0; i < 3; i++) {
      wire.awaitConnection();
      wire.resetAll();
      standby.assertToldNothingIn(Contestant.LEASE);
    }
    wire.awaitConnection();
    wire.cut();
    wire.awaitRefusal();
    standby.assertToldNothingIn(Contestant.LEASE);
    wire.heal();
    wire.awaitConnection();
    standby.assertToldNothingIn(Contestant.LEASE);
    // Whereas a wire that is no longer there refuses, as does a machine whose fleetd has ended.
    wire.close();
    assertThat(standby.awaitLead().continuous()).isTrue();
    assertThat(impostor.lease().renew()).isFalse();
  }

  @Test
  void aRestartOfEtcdDeposesNobody() throws Exception {
    Contestant leader = contestant("leader").campaign();
    Term term = leader.awaitLead();
    Contestant standby = standby("standby");
    etcd.kill();
    // Nobody ends the lease while etcd is away, however long that is.
    leader.skip(Contestant.LEASE.multipliedBy(2));
    standby.skip(Contestant.LEASE.multipliedBy(2));
    leader.registry.awaitFailures(1);
    leader.assertToldNothing();
    standby.assertToldNothing();
    etcd.restart();
    leader.awaitRenewal();
    assertNobodyDeposed(leader, term, standby);
  }

  @Test
  void aLeaderCutOffFromEtcdIsReplacedAndRetiresOnceItIsBack() throws Exception {
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    Contestant leader = contestant("leader", proxy.uri()).campaign();
    leader.awaitLead();
    Contestant standby = standby("standby");
    proxy.cut();
    end(standby.leader().lease());
    Term term = standby.awaitLead();
    leader.assertToldNothing();
    proxy.heal();
    leader.awaitRetirement();
    assertThat(standby.leader().created()).isEqualTo(term.token());
    standby.resign();
    leader.awaitLead();
  }

  @Test
  void anAttemptWhoseOutcomeIsNotKnownIsResolvedByLooking() throws Exception {
    UncertainRegistry uncertain = opened(new UncertainRegistry(openRegistry("one", etcd.client())));
    Contestant one = contestant("one", uncertain);
    // It was written, but nobody is told.
    uncertain.loseNextOutcome();
    Term term = one.campaign().awaitLead();
    assertThat(term.token()).isEqualTo(store.get(Keys.LEADER).orElseThrow().created());
    assertThat(uncertain.lost()).isEqualTo(1);
    end(one.registry.granted().getFirst().id());
    one.awaitRenewal();
    one.settle();
    one.assertToldNothing();
    assertThat(one.leader().created()).isEqualTo(term.token());
  }

  @Test
  void closingWhileEtcdIsAwayRetiresAndEndsInTime() throws Exception {
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    Contestant leader = contestant("leader", proxy.uri()).campaign();
    leader.awaitLead();
    proxy.cut();
    CompletableFuture<Void> ended = leader.beginToResign();
    assertThat(leader.awaitRetirement()).isEqualTo("fleetd stops");
    leader.skip(LONGEST_END);
    assertThat(ended).isDone();
  }

  @Test
  void etcdThatIsAwayAtTheBeginningIsWaitedFor() throws Exception {
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    Contestant one = contestant("one", proxy.uri());
    proxy.cut();
    one.campaign();
    for (int i = 0; i < 3; i++) {
      proxy.awaitRefusal();
    }
    one.assertToldNothing();
    proxy.heal();
    one.awaitLead();
  }
}
