package fleet.rpc.enrol;

import fleet.cluster.Caller;
import fleet.cluster.JoinTokens;
import fleet.core.audit.AuditEntry;
import fleet.core.machine.HostPort;
import fleet.core.machine.Role;
import fleet.registry.Registry;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.rpc.LeaderDirectoryService;
import fleet.rpc.Methods;
import fleet.rpc.PeerAdmission;
import fleet.rpc.RpcPeer;
import fleet.rpc.RpcSecurity;
import fleet.rpc.RpcServer;
import fleet.rpc.secure.RpcTls;
import fleet.rpc.v1.Leader;
import fleet.rpc.v1.WhoLeads;
import fleet.trust.Enrolment;
import fleet.trust.Identity;
import fleet.trust.IdentityBindings;
import fleet.trust.IdentityFile;
import fleet.trust.Issuer;
import fleet.trust.OwnIdentity;
import fleet.trust.RegistryJoinTokens;
import fleet.trust.ServerKeyFile;
import fleet.trust.ServerKeys;
import fleet.trust.StoredAuthority;
import fleet.trust.TokenText;
import fleet.trust.TrustException;
import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server with its registry and its RPC port, over real TLS, and machines that join it. */
abstract class EnrolmentOverRpcTest {

  static final String MACHINE = "a9e17000000000000000000000000001";
  static final String SERVER = "5e5e5e5e000000000000000000000001";
  static final Caller CALLER = new Caller("user root");
  static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path directory;
  final List<AutoCloseable> open = new ArrayList<>();
  final List<AuditEntry> audited = new CopyOnWriteArrayList<>();
  Cluster cluster;

  /** The ports that were opened. */
  final List<RpcServer> ports = new ArrayList<>();

  /** A server with its registry, and its RPC port. */
  final class Cluster {
    final Registry registry;
    final ServerKeys keys;
    final StoredAuthority authority;
    final Enrolment enrolment;
    final RegistryJoinTokens tokens;
    final IdentityFile file;
    final OwnIdentity own;
    final HostPort address;

    Cluster() throws Exception {
      Path data = Files.createTempDirectory(directory, "data");
      registry = EmbeddedRegistry.open(data);
      open.add(registry);
      keys = new ServerKeys(registry, new ServerKeyFile(data), SERVER, CLOCK);
      authority = new StoredAuthority(registry, keys, CLOCK);
      tokens = new RegistryJoinTokens(registry, authority, CLOCK);
      file = new IdentityFile(data.resolve("identity.pem"));
      own = new OwnIdentity(file.obtain(SERVER, authority.issuerForServer(SERVER)), CLOCK);
      enrolment = new Enrolment(authority, tokens, new IdentityBindings(registry, CLOCK, SERVER));
      address = listen(RpcTls.mutual(own), enrolment, tokens);
    }

    TokenText token(Role role) throws TrustException {
      return TokenText.parse(tokens.create(role, Duration.ofHours(1), CALLER).text());
    }
  }

  HostPort listen(RpcSecurity security, Enrolment enrolment, JoinTokens tokens) throws IOException {
    RpcServer server =
        RpcServer.open(
            "127.0.0.1",
            0,
            security,
            List.of(
                new EnrolmentService(enrolment, audited::add).bindService(),
                LeaderDirectoryService.service(EnrolmentOverRpcTest::caller)),
            PeerAdmission.ALL,
            audited::add);
    open.add(server);
    ports.add(server);
    return server.address();
  }

  /** As if the caller led: so that tests learn who they are taken for. */
  static Leader caller() {
    return Leader.newBuilder()
        .setMachine(RpcPeer.current().map(RpcPeer::toString).orElse("?"))
        .build();
  }

  @BeforeEach
  void begin() throws Exception {
    cluster = new Cluster();
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable part : open.reversed()) {
      part.close();
    }
  }

  IdentityFile file() throws IOException {
    return new IdentityFile(Files.createTempDirectory(directory, "machine").resolve("id.pem"));
  }

  Identity join(TokenText token, HostPort... servers) throws Exception {
    return file().obtain(MACHINE, joining(token, servers));
  }

  static Issuer joining(TokenText token, HostPort... servers) {
    return RemoteIssuers.joining(token, MACHINE, List.of(servers), CLOCK);
  }

  static String whoAmI(ChannelCredentials credentials, HostPort server)
      throws InterruptedException {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(server.host(), server.port(), credentials).build();
    try {
      return ClientCalls.blockingUnaryCall(
              channel,
              Methods.directoryAsk(),
              CallOptions.DEFAULT.withDeadlineAfter(5, TimeUnit.MINUTES),
              WhoLeads.getDefaultInstance())
          .getMachine();
    } finally {
      channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }
}
