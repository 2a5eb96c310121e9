package fleet.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.Leadership.Term;
import fleet.registry.etcd.EtcdServer;
import fleet.registry.etcd.FaultProxy;
import fleet.registry.records.Keys;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who leads while etcd, or the way to it, has its troubles. */
class LeaderFaultsTest extends ContestTest {

  @Test
  void brokenConnectionsToEtcdDeposeNobody() throws Exception {
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    Contestant leader = contestant("leader", proxy.uri()).campaign();
    Term term = leader.awaitLead();
    Contestant standby = contestant("standby", proxy.uri()).campaign();
    Random random = new Random(1);
    for (int i = 0; i < 10; i++) {
      proxy.resetAll();
      leader.assertToldNothingFor(Duration.ofMillis(random.nextInt(800)));
    }
    leader.assertToldNothingFor(Contestant.LEASE);
    standby.assertToldNothing();
    assertThat(leader.leader().created()).isEqualTo(term.token());
  }

  @Test
  void aBrokenLineToALivingLeaderDeposesNobody() throws Exception {
    ServerSocket door = opened(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    FaultProxy wire = opened(new FaultProxy(URI.create("http://127.0.0.1:" + door.getLocalPort())));
    Leaders.Impostor impostor = Leaders.impostor(store, wire.uri().getAuthority());
    Contestant standby = contestant("standby", etcd.client()).campaign();
    for (int i = 0; i < 10; i++) {
      standby.assertToldNothingFor(Duration.ofMillis(150));
      wire.resetAll();
    }
    wire.cut();
    standby.assertToldNothingFor(Duration.ofSeconds(2));
    wire.heal();
    standby.assertToldNothingFor(Duration.ofSeconds(1));
    // Whereas a wire that is no longer there refuses, as does a machine whose fleetd has ended.
    wire.close();
    assertThat(standby.awaitLead(Duration.ofSeconds(40)).continuous()).isTrue();
    assertThat(impostor.lease().renew()).isFalse();
  }

  @Test
  void aRestartOfEtcdDeposesNobody() throws Exception {
    Contestant leader = contestant("leader", etcd.client()).campaign();
    Term term = leader.awaitLead();
    Contestant standby = contestant("standby", etcd.client()).campaign();
    standby.assertToldNothingFor(Duration.ofMillis(500));
    etcd.kill();
    // Longer than the lease: nobody ends it while etcd is away.
    leader.assertToldNothingFor(Contestant.LEASE.plusSeconds(3));
    etcd.restart();
    leader.assertToldNothingFor(Contestant.LEASE.plusSeconds(3));
    standby.assertToldNothing();
    assertThat(leader.leader().created()).isEqualTo(term.token());
  }

  @Test
  void theLossOfEtcdsOwnLeaderDeposesNobody() throws Exception {
    List<EtcdServer> members = EtcdServer.cluster(directory.resolve("three"), 3);
    members.forEach(this::opened);
    URI[] all = members.stream().map(EtcdServer::client).toArray(URI[]::new);
    Contestant leader = contestant("leader", all).campaign();
    Term term = leader.awaitLead();
    Contestant standby = contestant("standby", all).campaign();
    standby.assertToldNothingFor(Duration.ofMillis(500));
    for (EtcdServer member : members) {
      // One of the three is etcd's leader.
      member.kill();
      leader.assertToldNothingFor(Contestant.LEASE.plusSeconds(1));
      member.restart();
      leader.assertToldNothingFor(Duration.ofSeconds(2));
    }
    standby.assertToldNothing();
    assertThat(leader.leader().created()).isEqualTo(term.token());
  }

  @Test
  void aLeaderCutOffFromEtcdIsReplacedAndRetiresOnceItIsBack() throws Exception {
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    Contestant leader = contestant("leader", proxy.uri()).campaign();
    leader.awaitLead();
    Contestant standby = contestant("standby", etcd.client()).campaign();
    standby.assertToldNothingFor(Duration.ofMillis(500));
    proxy.cut();
    Term term = standby.awaitLead(Contestant.LEASE.plusSeconds(3));
    leader.assertToldNothing();
    proxy.heal();
    leader.awaitRetirement();
    assertThat(standby.leader().created()).isEqualTo(term.token());
    standby.resign();
    leader.awaitLead();
  }

  @Test
  void anAttemptWhoseOutcomeIsNotKnownIsResolvedByLooking() throws Exception {
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    UncertainRegistry uncertain =
        opened(new UncertainRegistry(Contestant.open("one", proxy.uri())));
    Contestant one = opened(new Contestant("one", uncertain));
    // It was written, but nobody is told.
    uncertain.loseNextOutcome();
    Term term = one.campaign().awaitLead();
    assertThat(term.token()).isEqualTo(store.get(Keys.LEADER).orElseThrow().created());
    assertThat(uncertain.lost()).isEqualTo(1);
    one.assertToldNothingFor(Contestant.LEASE.plusSeconds(1));
  }

  @Test
  void closingWhileEtcdIsAwayRetiresAndEndsInTime() throws Exception {
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    Contestant leader = contestant("leader", proxy.uri()).campaign();
    leader.awaitLead();
    proxy.cut();
    long began = System.nanoTime();
    leader.resign();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    assertThat(leader.awaitRetirement()).isEqualTo("fleetd stops");
  }

  @Test
  void etcdThatIsAwayAtTheBeginningIsWaitedFor() throws Exception {
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    Contestant one = contestant("one", proxy.uri());
    proxy.cut();
    one.campaign();
    one.assertToldNothingFor(Duration.ofSeconds(3));
    proxy.heal();
    one.awaitLead();
  }
}
