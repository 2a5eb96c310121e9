package fleet.trust;

import fleet.cluster.Caller;
import fleet.cluster.JoinTokenRequest;
import fleet.core.machine.Role;
import fleet.registry.Registry;
import fleet.registry.embedded.EmbeddedRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** A cluster's registry, and what servers do with it to let machines in. */
final class EnrollingCluster implements AutoCloseable {

  static final String SERVER = "5e5e5e5e000000000000000000000001";
  static final Duration DAY = Duration.ofDays(1);

  final Registry registry;
  final ServerKeys keys;
  final StoredAuthority authority;
  final RegistryJoinTokens tokens;
  final IdentityBindings bindings;
  final Enrolment enrolment;
  private final Path directory;
  private final Clock clock;

  EnrollingCluster(Path parent, Clock clock) throws IOException {
    this(parent, clock, StoredAuthority.LIFE);
  }

  EnrollingCluster(Path parent, Clock clock, Duration life) throws IOException {
    this.directory = Files.createTempDirectory(parent, "servers");
    this.clock = clock;
    this.registry = EmbeddedRegistry.open(directory);
    this.keys = new ServerKeys(registry, new ServerKeyFile(directory), SERVER, clock);
    this.authority = new StoredAuthority(registry, keys, clock, life);
    this.tokens = new RegistryJoinTokens(registry, authority, clock);
    this.bindings = new IdentityBindings(registry, clock, SERVER);
    this.enrolment = new Enrolment(authority, tokens, bindings);
  }

  /** An identity file that is not there yet. */
  IdentityFile file() throws IOException {
    return new IdentityFile(
        Files.createTempDirectory(directory, "machine").resolve("identity.pem"));
  }

  /** This server's own identity, as one makes it that has the registry. */
  OwnIdentity server() throws Exception {
    return new OwnIdentity(file().obtain(SERVER, authority.issuerForServer(SERVER)), clock);
  }

  TokenText token(Role role, Duration life) throws TrustException {
    return TokenText.parse(tokens.create(role, life, new Caller("test")).text());
  }

  /** Redeems a token for a machine, as if the machine had asked over a wire. */
  Issuer redeeming(TokenText token, String machine) {
    return request -> enrolment.enrol(token.id(), token.secret(), machine, request.der());
  }

  /** A machine that has joined with a new token of some role. */
  OwnIdentity joined(String machine, Role role) throws Exception {
    JoinTokenRequest wish =
        new JoinTokenRequest(role, DAY, OptionalInt.empty(), Optional.of(machine));
    TokenText token = TokenText.parse(tokens.create(wish, new Caller("test")).text());
    return new OwnIdentity(file().obtain(machine, redeeming(token, machine)), clock);
  }

  @Override
  public void close() {
    registry.close();
  }
}
