package fleet.trust;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/**
 * What a machine proves with that it is of the cluster.
 *
 * @param peer what it proves
 * @param authority whom it believes about others
 */
public record Identity(
    Peer peer, PrivateKey key, X509Certificate certificate, X509Certificate authority) {

  /**
   * The identity that an answer makes of a request.
   *
   * @throws TrustException where the certificate is not for that key, or not by that authority
   */
  static Identity of(CertificateRequest request, Certified certified) throws TrustException {
    return of(request.key(), certified.certificate(), certified.authority());
  }

  static Identity of(PrivateKey key, X509Certificate certificate, X509Certificate authority)
      throws TrustException {
    try {
      certificate.verify(authority.getPublicKey());
      Proof.requireOneKey(key, certificate.getPublicKey());
      return new Identity(Peer.of(certificate), key, certificate, authority);
    } catch (CertificateException e) {
      throw new TrustException(String.valueOf(e.getMessage()), e);
    } catch (GeneralSecurityException e) {
      throw new TrustException("key, certificate and authority do not belong together", e);
    }
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
    return new X509Certificate[] {certificate, authority};
  }

  /** Without the key. */
  @Override
  public String toString() {
    return peer + " until " + expires();
  }
}
