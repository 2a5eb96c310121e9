package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.coordination.rpc.RpcEngineCoordination;
import fleet.core.audit.AuditLog;
import fleet.core.machine.HostPort;
import fleet.core.machine.Machine;
import fleet.core.machine.Role;
import fleet.core.metric.Meter;
import fleet.core.state.AgentReport;
import fleet.core.testing.Await;
import fleet.core.testing.ServerPorts;
import fleet.fleetd.membership.JoinedMembership;
import fleet.fleetd.membership.LeaderDirectoryClient;
import fleet.fleetd.membership.Membership;
import fleet.fleetd.membership.ServerMembership;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import fleet.rpc.LeaderDirectoryService;
import fleet.rpc.Methods;
import fleet.rpc.RpcChannels;
import fleet.rpc.enrol.EnrolmentService;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Hello;
import fleet.rpc.v1.Leader;
import fleet.trust.Enrolment;
import fleet.trust.EnrolmentRefusedException;
import fleet.trust.IdentityBindings;
import fleet.trust.RegistryJoinTokens;
import fleet.trust.ServerKeyFile;
import fleet.trust.ServerKeys;
import fleet.trust.StoredAuthority;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server and machines that have joined it, over real TLS; some are thrown out. */
class AdmissionControlTest {

  private static final String SERVER = "5e5e5e5e000000000000000000000001";
  private static final Caller ROOT = new Caller("user root");
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path directory;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private Registry registry;
  private AdmissionControl admission;
  private RegistryJoinTokens tokens;
  private HostPort server;
  private RpcEngineCoordination leader;

  private <T extends AutoCloseable> T opened(T part) {
    open.add(part);
    return part;
  }

  @BeforeEach
  void begin() throws Exception {
    Path data = Files.createDirectory(directory.resolve("server"));
    registry = opened(EmbeddedRegistry.open(data));
    admission =
        opened(
            AdmissionControl.begin(registry, directory, SERVER, why -> heard.add("fatal: " + why)));
    StoredAuthority authority =
        new StoredAuthority(
            registry, new ServerKeys(registry, new ServerKeyFile(data), SERVER, CLOCK), CLOCK);
    tokens = new RegistryJoinTokens(registry, authority, CLOCK);
    server = new HostPort("127.0.0.1", ServerPorts.take(1).getFirst());
    RpcEndpoint port =
        opened(
            RpcEndpoint.serving(
                server.host(),
                server.port(),
                false,
                new ServerMembership(authority, admission.bindings(), data, SERVER, CLOCK)::begin,
                admission,
                AuditLog.NONE,
                Meter.NONE));
    admission.guard(port);
    leader = opened(new RpcEngineCoordination(() -> "s", () -> true, () -> "", EventThread::new));
    admission.guard(leader);
    leader.lead(new Term(7, true), new Heard());
    port.serve(
        new EnrolmentService(new Enrolment(authority, tokens, admission.bindings()), AuditLog.NONE)
            .bindService());
    port.serve(
        LeaderDirectoryService.service(
            () -> Leader.newBuilder().setAddress(server.toString()).build()));
    port.serve(leader.service());
    port.begin(Duration.ofHours(1));
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable part : open.reversed()) {
      part.close();
    }
  }

  private final class Heard implements EngineCoordination.Listener {
    @Override
    public void present(Machine there) {
      heard.add(there.id() + " is there");
    }

    @Override
    public void reported(String id, List<AgentReport> reports) {}

    @Override
    public void absent(String id, String why) {
      heard.add(id + " is silent");
    }

    @Override
    public void left(String id, boolean emptied, String why) {
      heard.add(id + ": " + why);
    }

    @Override
    public void takenOver(String id, String how) {
      heard.add(id + " was taken over");
    }
  }

  private String heard() throws InterruptedException {
    return String.valueOf(heard.take());
  }

  private Membership join(String machine, String name) throws Exception {
    return join(machine, name, Role.AGENT);
  }

  private Membership join(String machine, String name, Role role) throws Exception {
    String token = tokens.create(role, Duration.ofHours(1), ROOT).text();
    Path data = Files.createDirectory(directory.resolve(name));
    return opened(
        new JoinedMembership(
                List.of(server), Optional.of(token), data, machine, CLOCK, (_, _) -> {})
            .begin());
  }

  /** A stream of a machine to the leader, which it has welcomed. */
  private BlockingClientCall<FromAgent, FromLeader> stream(
      Membership membership, String machine, String session) throws Exception {
    ManagedChannel channel = new RpcChannels(membership.security()).open(server);
    open.add(() -> channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS));
    BlockingClientCall<FromAgent, FromLeader> call =
        ClientCalls.blockingBidiStreamingCall(
            channel, Methods.coordinationJoin(), CallOptions.DEFAULT);
    Machine described = new Machine(machine, "boot", "10.0.0.1", Map.of(), "test");
    Hello hello =
        Hello.newBuilder()
            .setVersion(1)
            .setOldest(1)
            .setMachine(MachineMessages.message(described))
            .setSession(session)
            .setTtlMillis(20_000)
            .build();
    boolean _ = call.write(FromAgent.newBuilder().setHello(hello).build());
    FromLeader answer = call.read();
    assertThat(answer).isNotNull();
    assertThat(answer.hasWelcome()).isTrue();
    return call;
  }

  /**
   * The reason for which a server throws a machine out that asks who leads; empty if it does not.
   */
  private Optional<String> thrownOut(Membership membership) {
    List<String> why = new ArrayList<>();
    List<HostPort> _ =
        new LeaderDirectoryClient(new RpcChannels(membership.security()), List.of(server), why::add)
            .candidates();
    return why.stream().findFirst();
  }

  private static Status endOf(BlockingClientCall<FromAgent, FromLeader> call) throws Exception {
    try {
      while (call.read() != null) {
        // Messages that were on their way are skipped.
      }
      return Status.OK;
    } catch (StatusException e) {
      return e.getStatus();
    }
  }

  /** Machines that only run units are not asked if the question is for the cluster's servers. */
  @Test
  void theLeaderTellsAgentsFromServersByTheirCertificates() throws Exception {
    assertThat(leader.agents()).isEmpty();
    var _ = stream(join("m1", "one"), "m1", "s1");
    var _ = stream(join("m2", "two", Role.SERVER), "m2", "s2");

    assertThat(leader.agents()).containsExactly("m1");
    leader.retire();
    assertThat(leader.agents()).isEmpty();
    leader.close();
    assertThat(leader.agents()).isEmpty();
  }

  @Test
  void aMachineThatIsThrownOutIsCutOffAndGoneAtOnceAndOthersAreNot() throws Exception {
    Membership stolen = join("m1", "one");
    Membership other = join("m2", "two");
    var stream = stream(stolen, "m1", "s1");
    var _ = stream(other, "m2", "s2");
    assertThat(List.of(heard(), heard())).containsExactly("m1 is there", "m2 is there");

    admission.trust().remove("m1", ROOT);

    assertThat(heard()).isEqualTo("m1: it was removed from the cluster");
    assertThat(endOf(stream).isOk()).isFalse();
    assertThat(Await.value(() -> thrownOut(stolen), Optional::isPresent).orElseThrow())
        .contains("machine m1 was removed from the cluster by user root");
    assertThatThrownBy(() -> stream(stolen, "m1", "s3"))
        .isInstanceOf(StatusException.class)
        .hasMessageStartingWith("PERMISSION_DENIED");
    assertThat(thrownOut(other)).isEmpty();
  }

  @Test
  void noTokenBuysTheIdOfAMachineThatLives() throws Exception {
    Membership real = join("m1", "one");
    var _ = stream(real, "m1", "s1");
    assertThat(heard()).isEqualTo("m1 is there");

    for (String id : List.of("m1", SERVER)) {
      assertThatThrownBy(() -> join(id, "thief of " + id))
          .isInstanceOf(EnrolmentRefusedException.class)
          .hasMessageContaining("with another key")
          .hasMessageContaining("fleetctl machines readmit " + id);
    }
    assertThat(thrownOut(real)).isEmpty();
    assertThat(heard).as("nobody took its stream").isEmpty();
  }

  @Test
  void aMachineThatMayComeBackDoesSoAndItsFormerCertificateIsWorthless() throws Exception {
    Membership former = join("m1", "one");
    admission.trust().remove("m1", ROOT);
    admission.trust().readmit("m1", ROOT);

    Membership next = join("m1", "again");

    assertThat(thrownOut(next)).isEmpty();
    Await.until(() -> thrownOut(former).isPresent());
    assertThat(thrownOut(former).orElseThrow()).contains("is known by another key");
  }

  /** Its certificate is copied, and so are its id and its boot id: nothing tells them apart. */
  @Test
  void whoTakesTheStreamOfAMachineThatLivesIsToldOf() throws Exception {
    Membership membership = join("m1", "one");
    var real = stream(membership, "m1", "s1");
    assertThat(heard()).isEqualTo("m1 is there");

    var _ = stream(membership, "m1", "another fleetd");

    assertThat(heard()).isEqualTo("m1 was taken over");
    assertThat(endOf(real).isOk()).isFalse();
  }

  @Test
  void aMachineThatJoinedBeforeThereWereBindingsIsBoundByItsFirstCall() throws Exception {
    Membership former = join("m1", "one");
    registry.commit(Transaction.when().delete(Keys.identity("m1")).build());

    Await.until(() -> thrownOut(former).isEmpty() && registry.get(Keys.identity("m1")).isPresent());

    assertThatThrownBy(() -> join("m1", "thief")).isInstanceOf(EnrolmentRefusedException.class);
  }

  @Test
  void aServerThatIsThrownOutEndsAndDoesNotBeginAgain() throws Exception {
    var another = new IdentityBindings(registry, CLOCK, "another");

    another.remove(SERVER, ROOT);

    assertThat(heard()).startsWith("fatal: machine " + SERVER + " was removed");
    assertThatThrownBy(() -> AdmissionControl.begin(registry, directory, SERVER, _ -> {}))
        .isInstanceOf(EnrolmentRefusedException.class);
  }
}
