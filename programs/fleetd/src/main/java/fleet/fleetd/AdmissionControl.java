package fleet.fleetd;

import fleet.cluster.MachineTrust;
import fleet.coordination.rpc.RpcEngineCoordination;
import fleet.coordination.rpc.TrustNews;
import fleet.core.machine.Role;
import fleet.fleetd.membership.Membership;
import fleet.fleetd.membership.ServerMembership;
import fleet.registry.Registry;
import fleet.registry.Watch;
import fleet.rpc.PeerAdmission;
import fleet.rpc.RpcPeer;
import fleet.trust.AuthorityRotation;
import fleet.trust.EnrolledMachines;
import fleet.trust.EnrolmentRefusedException;
import fleet.trust.FollowedAuthorities;
import fleet.trust.IdentityBindings;
import fleet.trust.Peer;
import fleet.trust.RegistryJoinTokens;
import fleet.trust.ServerKeyFile;
import fleet.trust.ServerKeys;
import fleet.trust.StoredAuthority;
import fleet.trust.TrustException;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rejects machines that do not belong to the cluster any more, at each call and in the middle of
 * running ones. Safe for use by many threads.
 */
final class AdmissionControl implements PeerAdmission, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AdmissionControl.class);

  /** The handshakes and signatures that a machine's change to another authority costs servers. */
  private static final Duration TO_SERVE_ONE = Duration.ofMillis(20);

  private final IdentityBindings bindings;
  private final EnrolledMachines machines;
  private final ServerKeys keys;
  private final StoredAuthority authority;
  private final RegistryJoinTokens tokens;
  private final ServerMembership membership;
  private final FollowedAuthorities authorities;
  private final AuthorityRotation rotation;
  private Optional<Watch> giving = Optional.empty();
  private Optional<Membership> begun = Optional.empty();

  private AdmissionControl(
      Registry registry,
      Path data,
      String self,
      IdentityBindings bindings,
      EnrolledMachines machines,
      FollowedAuthorities authorities,
      ServerKeys keys) {
    this.authorities = authorities;
    this.bindings = bindings;
    this.machines = machines;
    this.keys = keys;
    this.authority = new StoredAuthority(registry, keys, Clock.systemUTC());
    this.tokens = new RegistryJoinTokens(registry, authority, Clock.systemUTC());
    this.membership = new ServerMembership(authority, bindings, data, self, Clock.systemUTC());
    this.rotation = new AuthorityRotation(registry, authority, keys, Clock.systemUTC());
  }

  /**
   * Follows the registry from now on.
   *
   * @param data directory if this server keeps the server key
   * @param self id of this server
   * @param onFatal told why this process cannot go on
   * @throws EnrolmentRefusedException if this server was removed itself
   * @throws fleet.registry.RegistryException if the registry does not answer
   */
  static AdmissionControl begin(Registry registry, Path data, String self, Consumer<String> onFatal)
      throws EnrolmentRefusedException {
    var bindings = new IdentityBindings(registry, Clock.systemUTC(), self);
    bindings.requireMember();
    var machines = new EnrolledMachines(registry, bindings, onFatal);
    machines.onEnd(machine -> {
      if (machine.equals(self)) {
        machines.removal(self).ifPresent(onFatal);
      }
    });
    var keys = new ServerKeys(registry, new ServerKeyFile(data), self, Clock.systemUTC());
    var authorities = new FollowedAuthorities(registry, onFatal);
    return new AdmissionControl(registry, data, self, bindings, machines, authorities, keys);
  }

  /**
   * Shares the registry with other servers: its readers must not see the authority's key, and new
   * servers get the key that it is sealed with.
   */
  AdmissionControl sharing() {
    giving = Optional.of(keys.give());
    try {
      boolean _ = authority.seal();
    } catch (TrustException e) {
      LOG.error("the authority's key is in the registry in clear: {}", e.getMessage());
    }
    return this;
  }

  /**
   * The identity of this server, made if there is none; one object for all users, since it is
   * renewed.
   *
   * @throws TrustException if the authority in the registry cannot be read
   * @throws IOException if the identity cannot be kept
   * @throws fleet.registry.RegistryException if the registry does not answer
   */
  synchronized Membership identity() throws TrustException, IOException, InterruptedException {
    if (begun.isEmpty()) {
      Membership own = membership.begin();
      authorities.onChange(now -> own.hear(now, Duration.ZERO));
      begun = Optional.of(own);
    }
    return begun.get();
  }

  /** Why this server is not the machine that the cluster knows by its id; empty if it may be. */
  Optional<String> objection() {
    return membership.objection();
  }

  StoredAuthority authority() {
    return authority;
  }

  FollowedAuthorities authorities() {
    return authorities;
  }

  AuthorityRotation rotation() {
    return rotation;
  }

  RegistryJoinTokens tokens() {
    return tokens;
  }

  IdentityBindings bindings() {
    return bindings;
  }

  /** For people who remove or readmit machines. */
  MachineTrust trust() {
    return bindings;
  }

  @Override
  public Optional<Status> refusal(RpcPeer peer) {
    return machines
        .objection(new Peer(peer.machine(), peer.server() ? Role.SERVER : Role.AGENT), peer.key())
        .map(objection ->
            (objection.certain() ? Status.PERMISSION_DENIED : Status.UNAVAILABLE)
                .withDescription(objection.why()));
  }

  /** Ends the calls of removed machines. */
  void guard(RpcEndpoint port) {
    machines.onEnd(machine ->
        port.cut(
            machine,
            machines.removal(machine).orElse("machine " + machine + " has another key by now")));
  }

  /** Makes their units move at once. */
  void guard(RpcEngineCoordination engine) {
    machines.onEnd(machine -> machines.removal(machine).ifPresent(_ -> engine.expel(machine)));
    engine.tellTrust(() -> new TrustNews(authorities.generation(), spread()));
  }

  /** All machines learn of a new authority at once, and each then makes two requests or more. */
  private Duration spread() {
    return TO_SERVE_ONE.multipliedBy(machines.count());
  }

  @Override
  public void close() {
    giving.ifPresent(Watch::close);
    synchronized (this) {
      begun.ifPresent(Membership::close);
    }
    authorities.close();
    machines.close();
  }
}
