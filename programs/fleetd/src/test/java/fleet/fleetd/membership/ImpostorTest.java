package fleet.fleetd.membership;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.coordination.rpc.RpcEngineCoordination;
import fleet.core.audit.AuditLog;
import fleet.core.machine.Machine;
import fleet.core.machine.Role;
import fleet.core.state.AgentReport;
import fleet.registry.Registry;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.rpc.Methods;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import fleet.rpc.RpcServer;
import fleet.rpc.enrol.EnrolmentService;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Hello;
import fleet.trust.Enrolment;
import fleet.trust.IdentityBindings;
import fleet.trust.RegistryJoinTokens;
import fleet.trust.ServerKeyFile;
import fleet.trust.ServerKeys;
import fleet.trust.StoredAuthority;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine of the cluster that says to the leader that it is another. */
class ImpostorTest {

  private static final String SERVER = "5e5e5e5e000000000000000000000001";
  private static final String MACHINE = "a9e17000000000000000000000000001";
  private static final String OTHER = "a9e17000000000000000000000000002";
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path directory;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final BlockingQueue<String> present = new LinkedBlockingQueue<>();
  private RpcEngineCoordination leader;
  private RpcServer server;
  private RpcSecurity machine;

  @BeforeEach
  void begin() throws Exception {
    Path data = Files.createDirectory(directory.resolve("server"));
    Registry registry = opened(EmbeddedRegistry.open(data));
    StoredAuthority authority =
        new StoredAuthority(
            registry, new ServerKeys(registry, new ServerKeyFile(data), SERVER, CLOCK), CLOCK);
    RegistryJoinTokens tokens = new RegistryJoinTokens(registry, authority, CLOCK);
    var bindings = new IdentityBindings(registry, CLOCK, SERVER);
    Membership own = opened(new ServerMembership(authority, bindings, data, SERVER, CLOCK).begin());
    leader = opened(new RpcEngineCoordination(() -> "s", () -> true, () -> "", EventThread::new));
    leader.lead(new Term(7, true), new Present());
    server =
        opened(
            RpcServer.open(
                "127.0.0.1",
                0,
                own.security(),
                List.of(
                    new EnrolmentService(new Enrolment(authority, tokens, bindings), AuditLog.NONE)
                        .bindService(),
                    leader.service())));
    String token = tokens.create(Role.AGENT, Duration.ofHours(1), new Caller("test")).text();
    machine =
        opened(
                new JoinedMembership(
                        List.of(server.address()),
                        Optional.of(token),
                        Files.createDirectory(directory.resolve("machine")),
                        MACHINE,
                        CLOCK,
                        (_, _) -> {})
                    .begin())
            .security();
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.add(part);
    return part;
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable part : open.reversed()) {
      part.close();
    }
  }

  private final class Present implements EngineCoordination.Listener {
    @Override
    public void present(Machine there) {
      present.add(there.id());
    }

    @Override
    public void reported(String id, List<AgentReport> reports) {}

    @Override
    public void absent(String id, String why) {}
  }

  /** The leader's answer to a machine with the certificate of {@link #MACHINE}. */
  private FromLeader answerTo(String id) throws Exception {
    ManagedChannel channel = new RpcChannels(machine).open(server.address());
    try {
      BlockingClientCall<FromAgent, FromLeader> call =
          ClientCalls.blockingBidiStreamingCall(
              channel, Methods.coordinationJoin(), CallOptions.DEFAULT);
      Hello hello =
          Hello.newBuilder()
              .setVersion(1)
              .setOldest(1)
              .setMachine(
                  MachineMessages.message(new Machine(id, "boot", "10.0.0.1", Map.of(), "test")))
              .setSession("s1")
              .setTtlMillis(20_000)
              .build();
      boolean _ = call.write(FromAgent.newBuilder().setHello(hello).build());
      FromLeader answer = call.read();
      return answer == null ? FromLeader.getDefaultInstance() : answer;
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void aMachineIsTakenInAsTheOneThatItsCertificateNames() throws Exception {
    assertThat(answerTo(MACHINE).hasWelcome()).isTrue();
    assertThat(present.take()).isEqualTo(MACHINE);
    assertNobodyElseIsPresent();
  }

  @Test
  void aMachineThatSaysItIsAnotherIsRefused() throws Exception {
    assertThat(answerTo(OTHER).getRefused().getWhy())
        .isEqualTo(
            "its certificate is machine %s's, and it says that it is %s".formatted(MACHINE, OTHER));
    assertNobodyElseIsPresent();
  }

  /**
   * The leader tells its engine after it has answered, on the thread that this question waits for.
   */
  private void assertNobodyElseIsPresent() {
    leader.agents();
    assertThat(present).isEmpty();
  }
}
