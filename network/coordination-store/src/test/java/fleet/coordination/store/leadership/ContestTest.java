package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.Leadership.Term;
import fleet.coordination.store.TestCluster;
import fleet.core.testing.Await;
import fleet.registry.SharedRegistry;
import fleet.registry.etcd.EtcdRegistry;
import fleet.registry.etcd.EtcdServer;
import fleet.registry.etcd.SharedEtcd;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Engines that want to lead, on a real etcd. For each of them time also passes when a test says so;
 * etcd's leases end in etcd's time, or when a test ends them.
 */
abstract class ContestTest {

  @RegisterExtension static final SharedEtcd ETCD = new SharedEtcd();

  EtcdServer etcd;
  EtcdRegistry store;
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void openStore() {
    etcd = ETCD.server();
    store = openRegistry("test", etcd.client());
  }

  /** Closed after the test, the last one first. */
  <T extends AutoCloseable> T opened(T one) {
    open.add(one);
    return one;
  }

  EtcdRegistry openRegistry(String writer, URI... ways) {
    return opened(TestCluster.open(ETCD.prefix(), writer, ways));
  }

  Contestant contestant(String id) {
    return contestant(id, etcd.client());
  }

  Contestant contestant(String id, URI... ways) {
    return contestant(id, openRegistry(id, ways));
  }

  Contestant contestant(String id, SharedRegistry registry) {
    return opened(new Contestant(id, registry));
  }

  /** One for which time passes only when a test says so, and that sees who leads, if anybody. */
  Contestant standing(String id) throws InterruptedException {
    Contestant standing = opened(Contestant.standing(id, openRegistry(id, etcd.client())));
    standing.campaign().awaitFollowing();
    return standing;
  }

  /** One that has seen who leads, and stands by. */
  Contestant standby(String id, URI... ways) throws InterruptedException {
    Contestant standby = contestant(id, ways).campaign();
    standby.awaitFollowing();
    standby.assertToldNothing();
    return standby;
  }

  Contestant standby(String id) throws InterruptedException {
    return standby(id, etcd.client());
  }

  /** Ends a lease, as etcd does once its time is over. */
  void end(long lease) {
    store.lease(lease, Contestant.LEASE).revoke();
  }

  /** It still leads, and nobody else does. */
  static void assertNobodyDeposed(Contestant leader, Term term, Contestant standby)
      throws InterruptedException {
    leader.settle();
    leader.assertToldNothing();
    standby.assertToldNothing();
    assertThat(leader.leader().created()).isEqualTo(term.token());
  }

  /** Waits until they hold a connection to the leader at that address. */
  static void awaitLines(CapturedLog lines, String address, int count) throws InterruptedException {
    Await.until(() -> lines.count("the line to " + address + ": ACCEPTED") >= count);
  }

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }
}
