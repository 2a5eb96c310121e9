package fleet.fleetd.membership;

import fleet.core.machine.Role;
import fleet.trust.Authorities;
import fleet.trust.CertificateRequest;
import fleet.trust.Fingerprint;
import fleet.trust.Identity;
import fleet.trust.IdentityBindings;
import fleet.trust.IdentityFile;
import fleet.trust.IssuedCertificate;
import fleet.trust.Issuer;
import fleet.trust.Peer;
import fleet.trust.StoredAuthority;
import fleet.trust.TrustException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Predicate;
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
   * Begins; makes the cluster's authority if there is none.
   *
   * @throws TrustException if the authority in the registry cannot be read
   * @throws IOException if the identity cannot be kept
   * @throws fleet.registry.RegistryException if the registry does not answer
   */
  public Membership begin() throws TrustException, IOException, InterruptedException {
    Issuer vouching = authority.issuerForServer(self.machine());
    Issuer issuer = new Own(vouching);
    Optional<Identity> kept = kept(authority.authorities());
    // The first key is kept before it is bound: a binding to a key that was lost would shut it out.
    Issuer first = keptKey().isPresent() ? issuer : vouching;
    Identity identity = kept.isPresent() ? kept.get() : file.obtain(self.machine(), first);
    bindings.vouched(identity.certificate(), keptKey());
    return new Membership(identity, file, _ -> issuer, clock);
  }

  /** This server vouches for itself, and so all servers know its key. */
  private final class Own implements Issuer {
    private final Issuer vouching;

    Own(Issuer vouching) {
      this.vouching = vouching;
    }

    @Override
    public IssuedCertificate issue(CertificateRequest request)
        throws TrustException, IOException, InterruptedException {
      IssuedCertificate certified = vouching.issue(request);
      bindings.vouched(certified.certificate(), keptKey());
      return certified;
    }

    @Override
    public Optional<Authorities> report(Identity own) throws TrustException {
      bindings.reported(own);
      return Optional.of(authority.authorities());
    }
  }

  /**
   * Why this server is not the machine that the cluster knows by its id; empty if it may be.
   *
   * @throws fleet.registry.RegistryException if the registry does not answer
   */
  public Optional<String> objection() {
    try {
      return bindings.objection(keptKey());
    } catch (IOException e) {
      return Optional.of(file + " cannot be read: " + e.getMessage());
    }
  }

  /**
   * The key that proves that this machine was here before, whatever else became of that identity.
   */
  private Optional<String> keptKey() throws IOException {
    return kept(identity -> identity.peer().machine().equals(self.machine()))
        .map(identity -> Fingerprint.ofKey(identity.certificate().getPublicKey()));
  }

  private Optional<Identity> kept(Authorities current) throws IOException {
    return kept(identity ->
        identity.peer().equals(self)
            && identity.authority().equals(current.signing())
            && !current.hasRemoved(identity.certificate())
            && !identity.isDue(clock.instant()));
  }

  private Optional<Identity> kept(Predicate<Identity> willDo) throws IOException {
    try {
      return file.kept(willDo);
    } catch (TrustException e) {
      LOG.warn("{}; this server makes another by itself", e.getMessage());
      return Optional.empty();
    }
  }
}
