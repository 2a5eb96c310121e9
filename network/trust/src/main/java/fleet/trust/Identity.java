package fleet.trust;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The identity of a machine of the cluster.
 *
 * @param peer the machine and its role
 * @param authority the issuer of the certificate
 * @param trusted the authorities that it trusts about others
 * @param crossSigned the authority, cross-signed by the former one, while machines may know only
 *     that
 * @param former fingerprints of the authorities that it trusted before, the latest last
 * @param removedServers SHA-256 of the public keys of servers that it no longer trusts
 */
public record Identity(
    Peer peer,
    PrivateKey key,
    X509Certificate certificate,
    X509Certificate authority,
    List<X509Certificate> trusted,
    Optional<X509Certificate> crossSigned,
    List<Fingerprint> former,
    List<String> removedServers) {

  /** So many authorities may a token in the configuration be behind. */
  private static final int MOST_FORMER = 16;

  public Identity {
    trusted = List.copyOf(trusted);
    former = List.copyOf(former);
    removedServers = List.copyOf(removedServers);
  }

  /** One of a cluster with one authority. */
  Identity(Peer peer, PrivateKey key, X509Certificate certificate, X509Certificate authority) {
    this(
        peer,
        key,
        certificate,
        authority,
        List.of(authority),
        Optional.empty(),
        List.of(),
        List.of());
  }

  /**
   * The identity that an answer makes of a request.
   *
   * @throws TrustException if the certificate is not for that key, or not by that authority
   */
  static Identity of(CertificateRequest request, IssuedCertificate certified)
      throws TrustException {
    Identity identity = of(request.key(), certified.certificate(), certified.authority());
    return identity.believing(certified.authorities());
  }

  static Identity of(PrivateKey key, X509Certificate certificate, X509Certificate authority)
      throws TrustException {
    try {
      certificate.verify(authority.getPublicKey());
      KeyProof.requireOneKey(key, certificate.getPublicKey());
      return new Identity(Peer.of(certificate), key, certificate, authority);
    } catch (CertificateException e) {
      throw new TrustException(String.valueOf(e.getMessage()), e);
    } catch (GeneralSecurityException e) {
      throw new TrustException("key, certificate and authority do not belong together", e);
    }
  }

  /** The same, that believes these authorities and no others. */
  Identity believing(Authorities authorities) {
    Set<Fingerprint> before = new LinkedHashSet<>(former);
    trusted.stream().map(Fingerprint::of).forEach(before::add);
    before.removeIf(authorities::has);
    List<Fingerprint> all = List.copyOf(before);
    return new Identity(
        peer,
        key,
        certificate,
        authority,
        authorities.trusted(),
        authorities.crossSigned().filter(_ -> authority.equals(authorities.signing())),
        all.subList(Math.max(0, all.size() - MOST_FORMER), all.size()),
        authorities.removedServers());
  }

  /** The same, with the former authorities of the previous identity. */
  Identity after(Identity before) {
    if (Collections.disjoint(trusted, before.trusted)) {
      // The identity before was of another cluster.
      return this;
    }
    Set<Fingerprint> all = new LinkedHashSet<>(before.former);
    before.trusted.stream().map(Fingerprint::of).forEach(all::add);
    trusted.stream().map(Fingerprint::of).forEach(all::remove);
    return new Identity(
        peer, key, certificate, authority, trusted, crossSigned, List.copyOf(all), removedServers);
  }

  /** Whether it believes an authority, or did so before that was replaced. */
  public boolean knows(Fingerprint other) {
    return former.contains(other) || trusted.stream().map(Fingerprint::of).anyMatch(other::equals);
  }

  /** Whether a certificate belongs to a removed server. */
  boolean hasRemoved(X509Certificate other) {
    return !removedServers.isEmpty()
        && removedServers.contains(Fingerprint.ofKey(other.getPublicKey()));
  }

  public Fingerprint authorityFingerprint() {
    return Fingerprint.of(authority);
  }

  public Instant expires() {
    return certificate.getNotAfter().toInstant();
  }

  public boolean hasExpired(Instant now) {
    return now.isAfter(expires());
  }

  /** Whether it is time to renew it. */
  public boolean isDue(Instant now) {
    return !now.isBefore(renewalDue());
  }

  /** When half of its life is over. */
  Instant renewalDue() {
    Instant issued = certificate.getNotBefore().toInstant().plus(CertificateAuthority.SKEW);
    return expires().minus(Duration.between(issued, expires()).dividedBy(2));
  }

  X509Certificate[] chain() {
    // With the authority, so that a machine that has but its fingerprint can check it.
    return crossSigned
        .map(other -> new X509Certificate[] {certificate, authority, other})
        .orElseGet(() -> new X509Certificate[] {certificate, authority});
  }

  /** Without the key. */
  @Override
  public String toString() {
    return peer + " until " + expires();
  }
}
