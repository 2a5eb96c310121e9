package fleet.trust;

import fleet.core.machine.Role;
import fleet.registry.records.IdentityRecord;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Issues certificates, as a server, for machines that join and for those that have joined. Safe for
 * use by many threads; calls block, and throw {@link fleet.registry.RegistryException} if the
 * registry does not answer.
 */
public final class Enrolment {

  private static final Logger LOG = LoggerFactory.getLogger(Enrolment.class);

  /** One authority and the next; a report that names more is cut. */
  private static final int MOST_TRUSTED = 4;

  private final StoredAuthority authority;
  private final RegistryJoinTokens tokens;
  private final IdentityBindings bindings;

  public Enrolment(
      StoredAuthority authority, RegistryJoinTokens tokens, IdentityBindings bindings) {
    this.authority = authority;
    this.tokens = tokens;
    this.bindings = bindings;
  }

  /**
   * Admits a machine to the cluster.
   *
   * @param token id of the join token
   * @param secret of the join token
   * @param machine id that it is to be known by
   * @param request in PKCS#10
   * @throws EnrolmentRefusedException if it may not join; the message is for people on that machine
   * @throws TrustException if no certificate can be issued
   */
  public IssuedCertificate enrol(String token, String secret, String machine, byte[] request)
      throws TrustException {
    while (true) {
      RegistryJoinTokens.Shown shown = tokens.shown(token, secret, machine);
      Peer peer = named(machine, shown.token().role());
      IssuedCertificate certified = authority.vouch(peer, request);
      if (bindings.letIn(peer, shown, certified.certificate())) {
        LOG.info("{} joined with token {}", peer, token);
        return certified;
      }
    }
  }

  /**
   * Renews the certificate of an authenticated machine.
   *
   * @param peer as its certificate names it
   * @param presented fingerprint of the key that it has proved itself with
   * @param request in PKCS#10
   * @throws EnrolmentRefusedException if it was removed, or is known by another key
   * @throws TrustException if the request is invalid
   */
  public IssuedCertificate renew(Peer peer, String presented, byte[] request)
      throws TrustException {
    IssuedCertificate certified = authority.vouch(peer, request);
    bindings.renewed(peer, presented, certified.certificate());
    // A machine may ask without limit; the audit log bounds the entries.
    LOG.debug(
        "{} has a new certificate, good until {}",
        peer,
        certified.certificate().getNotAfter().toInstant());
    return certified;
  }

  /**
   * Notes the authorities that a machine trusts.
   *
   * @param peer as its certificate names it
   * @param presented fingerprint of the key that it has proved itself with
   * @param by SHA-256 of the authority that its certificate is by
   * @param trusts SHA-256 of each authority that it trusts
   * @param ends when its certificate does
   * @return what it is to trust
   * @throws EnrolmentRefusedException if it was removed, is known by another key, or names
   *     something else than authorities
   */
  public Authorities reported(
      Peer peer, String presented, String by, List<String> trusts, Instant ends)
      throws TrustException {
    try {
      bindings.reported(
          peer,
          presented,
          new IdentityRecord.Trust(
              new Fingerprint(by).sha256(),
              trusts.stream()
                  .limit(MOST_TRUSTED)
                  .map(Fingerprint::new)
                  .map(Fingerprint::sha256)
                  .toList(),
              ends));
    } catch (IllegalArgumentException e) {
      throw new EnrolmentRefusedException("the report cannot be read: " + e.getMessage(), e);
    }
    return authority.authorities();
  }

  private static Peer named(String machine, Role role) throws EnrolmentRefusedException {
    try {
      return new Peer(machine, role);
    } catch (IllegalArgumentException e) {
      throw new EnrolmentRefusedException(String.valueOf(e.getMessage()), e);
    }
  }
}
