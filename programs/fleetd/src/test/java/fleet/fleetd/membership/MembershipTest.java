package fleet.fleetd.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.core.audit.AuditLog;
import fleet.core.machine.HostPort;
import fleet.core.machine.Role;
import fleet.core.testing.ServerPorts;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import fleet.rpc.RpcServer;
import fleet.rpc.enrol.EnrolmentService;
import fleet.trust.Enrolment;
import fleet.trust.EnrolmentRefusedException;
import fleet.trust.Fingerprint;
import fleet.trust.Identity;
import fleet.trust.IdentityBindings;
import fleet.trust.Peer;
import fleet.trust.RegistryJoinTokens;
import fleet.trust.ServerKeyFile;
import fleet.trust.ServerKeys;
import fleet.trust.StoredAuthority;
import fleet.trust.TrustException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MembershipTest {

  private static final String SERVER = "5e5e5e5e000000000000000000000001";
  private static final String MACHINE = "a9e17000000000000000000000000001";
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path directory;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final BlockingQueue<String> waits = new LinkedBlockingQueue<>();
  private Path data;

  /** A server, as it begins with its registry. */
  private final class Server {
    final Path data;
    final Registry registry;
    final StoredAuthority authority;
    final IdentityBindings bindings;
    final RegistryJoinTokens tokens;
    final Membership membership;

    Server() throws Exception {
      data = Files.createTempDirectory(directory, "server");
      registry = EmbeddedRegistry.open(data);
      open.add(registry);
      authority =
          new StoredAuthority(
              registry, new ServerKeys(registry, new ServerKeyFile(data), SERVER, CLOCK), CLOCK);
      bindings = new IdentityBindings(registry, CLOCK, SERVER);
      tokens = new RegistryJoinTokens(registry, authority, CLOCK);
      membership = begin();
    }

    Membership begin() throws Exception {
      Membership begun = in(data).begin();
      open.add(begun);
      return begun;
    }

    /** This server with another data directory, as a copy of its machine has one. */
    ServerMembership in(Path directory) {
      return new ServerMembership(authority, bindings, directory, SERVER, CLOCK);
    }

    HostPort listen(int port) throws IOException {
      RpcServer listening =
          RpcServer.open(
              "127.0.0.1",
              port,
              membership.security(),
              List.of(
                  new EnrolmentService(new Enrolment(authority, tokens, bindings), AuditLog.NONE)
                      .bindService()));
      open.add(listening);
      return listening.address();
    }

    Optional<String> token() {
      return Optional.of(tokens.create(Role.AGENT, Duration.ofHours(1), new Caller("test")).text());
    }
  }

  @BeforeEach
  void begin() throws IOException {
    data = Files.createDirectory(directory.resolve("machine"));
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable part : open.reversed()) {
      part.close();
    }
  }

  private Identity join(HostPort server, Optional<String> token) throws Exception {
    return join(MACHINE, server, token);
  }

  private Identity join(String machine, HostPort server, Optional<String> token) throws Exception {
    Membership joined =
        new JoinedMembership(
                List.of(server), token, data, machine, CLOCK, (why, _) -> waits.add(why))
            .begin();
    open.add(joined);
    return joined.identity();
  }

  @Test
  void aServerKeepsItsIdentity() throws Exception {
    Server server = new Server();

    assertThat(server.membership.identity().peer()).isEqualTo(new Peer(SERVER, Role.SERVER));
    assertThat(server.begin().identity()).isEqualTo(server.membership.identity());
  }

  @Test
  void aServerTakesAnotherIdentityWhereItsOwnWillNotDo() throws Exception {
    Server server = new Server();
    Path file = server.data.resolve("identity.pem");

    Files.writeString(file, "damaged");
    Identity second = server.begin().identity();
    assertThat(second).isNotEqualTo(server.membership.identity());

    Server other = new Server();
    Files.copy(other.data.resolve("identity.pem"), file, StandardCopyOption.REPLACE_EXISTING);
    assertThat(server.begin().identity().authorityFingerprint())
        .isEqualTo(second.authorityFingerprint());
  }

  @Test
  void aTokenIsNeededOnce() throws Exception {
    Server server = new Server();
    HostPort address = server.listen(0);

    Identity joined = join(address, server.token());

    assertThat(joined.peer()).isEqualTo(new Peer(MACHINE, Role.AGENT));
    assertThat(join(address, Optional.empty())).isEqualTo(joined);
    assertThat(join(address, server.token())).isEqualTo(joined);
    assertThat(join(address, Optional.of("FLEET-1-abc"))).as("half a token").isEqualTo(joined);
  }

  @Test
  void withoutIdentityOrTokenItSaysWhatToDo() {
    assertThatThrownBy(() -> join(new HostPort("127.0.0.1", 1), Optional.empty()))
        .isInstanceOf(EnrolmentRefusedException.class)
        .hasMessage(
            "this machine is in no cluster yet: make a token on a server with \"fleetctl token"
                + " create\", and start fleetd once with --token TOKEN");
    assertThatThrownBy(() -> join(new HostPort("127.0.0.1", 1), Optional.of("FLEET-1-abc")))
        .isInstanceOf(EnrolmentRefusedException.class)
        .hasMessageContaining("the token is not whole");
  }

  @Test
  void aCopiedDiskIsAnotherMachine() throws Exception {
    Server server = new Server();
    HostPort address = server.listen(0);
    join(address, server.token());

    assertThatThrownBy(() -> join("copy", address, Optional.empty()))
        .isInstanceOf(TrustException.class)
        .hasMessageContaining("is of machine " + MACHINE + ", and this is copy");
    assertThat(join("copy", address, server.token()).peer().machine()).isEqualTo("copy");
  }

  @Test
  void aTokenOfAnotherClusterChangesOver() throws Exception {
    Server first = new Server();
    Server second = new Server();
    join(first.listen(0), first.token());

    Identity moved = join(second.listen(0), second.token());

    assertThat(moved.authorityFingerprint())
        .isEqualTo(Fingerprint.of(second.authority.certificate()));
  }

  @Test
  void aRefusedTokenEndsTheStart() throws Exception {
    Server server = new Server();
    HostPort address = server.listen(0);
    Optional<String> token = server.token();
    server.tokens.revoke(server.tokens.list().getFirst().id(), new Caller("test"));

    assertThatThrownBy(() -> join(address, token))
        .isInstanceOf(EnrolmentRefusedException.class)
        .hasMessageContaining("unknown, or was revoked");
  }

  @Test
  void soDoesOneOfAnotherCluster() throws Exception {
    HostPort address = new Server().listen(0);
    Optional<String> other = new Server().token();

    assertThatThrownBy(() -> join(address, other))
        .isInstanceOf(EnrolmentRefusedException.class)
        .hasMessageContaining("the server is of another cluster than the token");
    assertThat(waits).isEmpty();
  }

  /** It may be set right by itself, as that of a machine which has just booted. */
  @Test
  void aClockThatIsWrongIsWaitedFor() throws Exception {
    Server server = new Server();
    HostPort address = server.listen(0);
    Optional<String> token = server.token();
    Clock early = Clock.offset(CLOCK, Duration.ofDays(-3));
    Thread joining =
        Thread.ofVirtual()
            .start(() -> {
              try {
                new JoinedMembership(
                        List.of(address), token, data, MACHINE, early, (why, _) -> waits.add(why))
                    .begin();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (Exception e) {
                waits.add("ended: " + e.getMessage());
              }
            });

    assertThat(waits.take()).contains("check the clocks");
    joining.interrupt();
    joining.join();
    // It may have tried again meanwhile.
    assertThat(waits).allMatch(why -> why.contains("check the clocks"));
  }

  @Test
  void aCopyOfAServerIsNoMemberAndSaysWhatToDo() throws Exception {
    Server server = new Server();
    Outcome _ = server.registry.commit(Transaction.when().put(Keys.LEADER, "{}").build());
    ServerMembership copy = server.in(data);

    for (int tries = 0; tries < 2; tries++) {
      assertThat(copy.objection()).hasValueSatisfying(why -> assertThat(why).contains("readmit"));
      assertThatThrownBy(copy::begin)
          .isInstanceOf(EnrolmentRefusedException.class)
          .hasMessageContaining("systemd-machine-id-setup");
    }
    assertThat(server.in(server.data).objection()).isEmpty();
    assertThat(server.begin().identity().certificate())
        .isEqualTo(server.membership.identity().certificate());
  }

  @Test
  void aServerThatIsNotThereYetIsWaitedFor() throws Exception {
    Server server = new Server();
    int port = ServerPorts.take(1).getFirst();
    Optional<String> token = server.token();
    CompletableFuture<Identity> joined = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            joined.complete(join(new HostPort("127.0.0.1", port), token));
          } catch (Exception e) {
            joined.completeExceptionally(e);
            waits.add("ended: " + e.getMessage());
          }
        });

    assertThat(waits.take()).contains("Connection refused");
    server.listen(port);

    assertThat(joined.get()).isNotNull();
  }

  @Test
  void aDamagedIdentityNeedsAToken() throws Exception {
    Server server = new Server();
    HostPort address = server.listen(0);
    Files.writeString(data.resolve("identity.pem"), "damaged");

    assertThatThrownBy(() -> join(address, Optional.empty()))
        .isInstanceOf(TrustException.class)
        .hasMessageContaining("holds no identity of a machine");
    assertThat(join(address, server.token()).peer().machine()).isEqualTo(MACHINE);
  }
}
