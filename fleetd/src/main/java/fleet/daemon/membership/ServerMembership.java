package fleet.daemon.membership;

import fleet.core.machine.Role;
import fleet.trust.Certified;
import fleet.trust.Identity;
import fleet.trust.IdentityBindings;
import fleet.trust.IdentityFile;
import fleet.trust.Issuer;
import fleet.trust.Peer;
import fleet.trust.StoredAuthority;
import fleet.trust.TrustException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that has the registry vouches for itself, and needs nobody's leave. */
public final class ServerMembership {

  private static final Logger LOG = LoggerFactory.getLogger(ServerMembership.class);

  private final StoredAuthority authority;
  private final IdentityBindings bindings;
  private final IdentityFile file;
  private final Peer self;
  private final Clock clock;

  /**
   * Nothing is read yet.
   *
   * @param data where the identity is kept, so that not every start needs another
   * @param machine id
   */
  public ServerMembership(
      StoredAuthority authority,
      IdentityBindings bindings,
      Path data,
      String machine,
      Clock clock) {
    this.authority = authority;
    this.bindings = bindings;
    this.file = Membership.fileIn(data);
    this.self = new Peer(machine, Role.SERVER);
    this.clock = clock;
  }

  /**
   * Begins; makes the cluster's authority where there is none.
   *
   * @throws TrustException where the authority in the registry cannot be read
   * @throws IOException where the identity cannot be kept
   * @throws fleet.registry.RegistryException where the registry does not answer
   */
  public Membership begin() throws TrustException, IOException, InterruptedException {
    Issuer vouching = authority.issuerForServer(self.machine());
    Issuer issuer =
        request -> {
          Certified certified = vouching.issue(request);
          bindings.vouched(certified.certificate());
          return certified;
        };
    Optional<Identity> kept = kept(authority.certificate());
    Identity identity = kept.isPresent() ? kept.get() : file.obtain(self.machine(), issuer);
    bindings.vouched(identity.certificate());
    return new Membership(identity, file, _ -> issuer, clock);
  }

  private Optional<Identity> kept(X509Certificate current) throws IOException {
    try {
      return file.kept(identity ->
          identity.peer().equals(self)
              && identity.authority().equals(current)
              && !identity.isDue(clock.instant()));
    } catch (TrustException e) {
      LOG.warn("{}; this server makes another by itself", e.getMessage());
      return Optional.empty();
    }
  }
}
