package fleet.coordination.store;

import fleet.registry.etcd.FaultProxy;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who leads while etcd answers late. */
class SlowWayTest extends ContestTest {

  private static final Duration TWO_LEASES = Contestant.LEASE.multipliedBy(2).plusSeconds(2);

  /** Each way; so an answer takes at least twice as long. */
  @ParameterizedTest
  @CsvSource({"400, 1000", "1500, 8000", "1000, 1000", "1500, 1000"})
  void aSlowWayToEtcdDeposesNobody(int delayMillis, int requestTimeoutMillis) throws Exception {
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
    leader.assertToldNothingFor(TWO_LEASES);
    standby.assertToldNothing();
    proxy.heal();
    leader.assertToldNothingFor(Duration.ofSeconds(6));
    standby.assertToldNothing();
  }
}
