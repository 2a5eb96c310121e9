package fleet.fleetd.membership;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.HostPort;
import fleet.core.testing.Await;
import fleet.rpc.LeaderDirectoryService;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import fleet.rpc.RpcServer;
import fleet.rpc.v1.Leader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaderDirectoryClientTest {

  private static final HostPort LEADER = new HostPort("10.0.0.7", 50059);

  private final RpcSecurity security = new RpcSecurity.PlainText(false);
  private final RpcChannels channels = new RpcChannels(security);
  private final AtomicReference<String> leader = new AtomicReference<>(LEADER.toString());
  private RpcServer one;
  private RpcServer two;

  @BeforeEach
  void begin() throws IOException {
    one = listen();
    two = listen();
  }

  @AfterEach
  void end() {
    one.close();
    two.close();
  }

  private RpcServer listen() throws IOException {
    return RpcServer.open(
        "127.0.0.1",
        0,
        security,
        List.of(
            LeaderDirectoryService.service(
                () -> Leader.newBuilder().setAddress(leader.get()).build())));
  }

  private LeaderDirectoryClient directory() {
    return new LeaderDirectoryClient(channels, List.of(one.address(), two.address()), _ -> {});
  }

  @Test
  void whyNobodySaysWhoLeadsIsKeptUntilOneDoes() throws Exception {
    LeaderDirectoryClient directory = directory();
    leader.set("");
    awaitProblem(directory, why -> why.contains("the servers answer, but none of them leads"));

    leader.set(LEADER.toString());
    awaitProblem(directory, String::isEmpty);

    one.close();
    two.close();
    awaitProblem(directory, why -> why.contains("server " + one.address() + ": "));
  }

  /** A busy host may not answer in time: then it is asked again. */
  private static void awaitProblem(LeaderDirectoryClient directory, Predicate<String> as)
      throws InterruptedException {
    Await.until(() -> {
      directory.candidates();
      return as.test(directory.problem().orElse(""));
    });
  }

  @Test
  void theLeaderComesFirstThenTheServers() throws Exception {
    awaitCandidates(directory(), LEADER, one.address(), two.address());
  }

  private static void awaitCandidates(LeaderDirectoryClient directory, HostPort... expected)
      throws InterruptedException {
    List<HostPort> _ = Await.value(directory::candidates, List.of(expected)::equals);
  }

  @Test
  void anyServerCanSayWhoLeads() throws Exception {
    one.close();

    awaitCandidates(directory(), LEADER, one.address(), two.address());
  }

  @Test
  void whereNobodyLeadsTheServersAreLeft() {
    leader.set("");

    assertThat(directory().candidates()).containsExactly(one.address(), two.address());
  }

  @Test
  void aLeaderOnceHeardOfIsAskedWhenTheServersAreGone() throws Exception {
    LeaderDirectoryClient directory = directory();
    awaitCandidates(directory, LEADER, one.address(), two.address());
    one.close();
    two.close();

    assertThat(directory.candidates()).containsExactly(one.address(), two.address(), LEADER);
  }

  @Test
  void oneThatIsAServerAndLeadsIsNamedOnce() throws Exception {
    leader.set(two.address().toString());

    awaitCandidates(directory(), two.address(), one.address());
  }
}
