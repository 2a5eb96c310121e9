package fleet.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.Leadership.Term;
import fleet.registry.etcd.EtcdRegistry;
import fleet.registry.etcd.EtcdServer;
import fleet.registry.etcd.FaultProxy;
import fleet.registry.records.Keys;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who leads while etcd, or the way to it, has its troubles. */
class LeaderFaultsTest {

  @TempDir Path directory;

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private <T extends AutoCloseable> T opened(T one) {
    open.add(one);
    return one;
  }

  private Contestant contestant(String id, URI... etcd) {
    return opened(new Contestant(id, etcd));
  }

  @Test
  void brokenConnectionsToEtcdDeposeNobody() throws Exception {
    EtcdServer etcd = opened(EtcdServer.start(directory));
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
    EtcdServer etcd = opened(EtcdServer.start(directory));
    EtcdRegistry store = opened(Contestant.open("test", etcd.client()));
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

  /** Each way; so an answer takes at least twice as long. */
  @ParameterizedTest
  @CsvSource({"400, 1000", "1500, 8000", "1000, 1000", "1500, 1000"})
  void aSlowWayToEtcdDeposesNobody(int delayMillis, int requestTimeoutMillis) throws Exception {
    EtcdServer etcd = opened(EtcdServer.start(directory));
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    Duration timeout = Duration.ofMillis(requestTimeoutMillis);
    Contestant leader =
        opened(new Contestant("leader", Contestant.open("leader", timeout, proxy.uri())));
    leader.campaign().awaitLead();
    Contestant standby =
        opened(new Contestant("standby", Contestant.open("standby", timeout, proxy.uri())));
    standby.campaign();
    standby.assertToldNothingFor(Duration.ofSeconds(1));
    proxy.delay(Duration.ofMillis(delayMillis));
    leader.assertToldNothingFor(Duration.ofSeconds(20));
    standby.assertToldNothing();
    proxy.heal();
    leader.assertToldNothingFor(Duration.ofSeconds(6));
    standby.assertToldNothing();
  }

  @Test
  void aRestartOfEtcdDeposesNobody() throws Exception {
    EtcdServer etcd = opened(EtcdServer.start(directory));
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
    List<EtcdServer> members = EtcdServer.cluster(directory, 3);
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
    EtcdServer etcd = opened(EtcdServer.start(directory));
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
    EtcdServer etcd = opened(EtcdServer.start(directory));
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    EtcdRegistry store = opened(Contestant.open("test", etcd.client()));
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
    EtcdServer etcd = opened(EtcdServer.start(directory));
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
    EtcdServer etcd = opened(EtcdServer.start(directory));
    FaultProxy proxy = opened(new FaultProxy(etcd.client()));
    Contestant one = contestant("one", proxy.uri());
    proxy.cut();
    one.campaign();
    one.assertToldNothingFor(Duration.ofSeconds(3));
    proxy.heal();
    one.awaitLead();
  }
}
