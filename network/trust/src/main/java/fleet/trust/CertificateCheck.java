package fleet.trust;

import fleet.core.machine.Role;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks the certificate of another machine: its subject, issuer, purpose and validity. */
final class CertificateCheck {

  private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTHENTICATION = "1.3.6.1.5.5.7.3.2";

  /** The index of this key usage in {@link X509Certificate#getKeyUsage}. */
  private static final int SIGNS_CERTIFICATES = 5;

  private final Clock clock;

  CertificateCheck(Clock clock) {
    this.clock = clock;
  }

  /** The machine that calls, if its certificate is good. */
  Peer client(X509Certificate[] chain, Collection<X509Certificate> trusted)
      throws CertificateException {
    X509Certificate certificate = chain[0];
    check(chain, trusted);
    requirePurpose(certificate, CLIENT_AUTHENTICATION);
    return Peer.of(certificate);
  }

  /** The server that was called, if its certificate is good. */
  Peer server(X509Certificate[] chain, Collection<X509Certificate> trusted)
      throws CertificateException {
    X509Certificate certificate = chain[0];
    check(chain, trusted);
    Peer peer = Peer.of(certificate);
    if (peer.role() != Role.SERVER) {
      throw new CertificateException(
          "machine " + peer.machine() + " passes itself off as a server, and is none");
    }
    requirePurpose(certificate, SERVER_AUTHENTICATION);
    return peer;
  }

  /** The name of the person who has it, if it is good. */
  String person(X509Certificate certificate, X509Certificate authority)
      throws CertificateException {
    checkTime(certificate);
    check(certificate, authority);
    requirePurpose(certificate, CLIENT_AUTHENTICATION);
    return PersonName.of(certificate);
  }

  /** An unknown authority counts if a known one has cross-signed it. */
  private void check(X509Certificate[] chain, Collection<X509Certificate> trusted)
      throws CertificateException {
    X509Certificate certificate = chain[0];
    checkTime(certificate);
    Optional<X509Certificate> known = named(certificate, trusted);
    if (known.isPresent()) {
      check(certificate, known.get());
      return;
    }
    for (X509Certificate shown : List.of(chain).subList(1, chain.length)) {
      if (names(certificate, shown) && isCrossSigned(shown, trusted)) {
        check(certificate, shown);
        return;
      }
    }
    throw new CertificateException(
        "the certificate of %s is not by this cluster's authority".formatted(name(certificate)));
  }

  private boolean isCrossSigned(X509Certificate shown, Collection<X509Certificate> trusted)
      throws CertificateException {
    Optional<X509Certificate> known = named(shown, trusted);
    if (!isAuthority(shown) || known.isEmpty()) {
      return false;
    }
    check(shown, known.get());
    return true;
  }

  private static boolean isAuthority(X509Certificate shown) {
    boolean[] usage = shown.getKeyUsage();
    return shown.getBasicConstraints() >= 0 && usage != null && usage[SIGNS_CERTIFICATES];
  }

  /**
   * Whether the first certificate of a chain is by a trusted authority, or by one in the chain that
   * a trusted one has cross-signed; without a check of the time.
   */
  static boolean isVouchedFor(X509Certificate[] chain, Collection<X509Certificate> trusted) {
    return isByOneOf(chain[0], trusted)
        || Stream.of(chain)
            .skip(1)
            .anyMatch(
                shown -> isAuthority(shown) && isBy(chain[0], shown) && isByOneOf(shown, trusted));
  }

  private static boolean isByOneOf(
      X509Certificate certificate, Collection<X509Certificate> authorities) {
    return authorities.stream().anyMatch(authority -> isBy(certificate, authority));
  }

  /** The claimed issuer of a certificate; its signature must still be checked. */
  private static Optional<X509Certificate> named(
      X509Certificate certificate, Collection<X509Certificate> authorities) {
    return authorities.stream().filter(authority -> names(certificate, authority)).findFirst();
  }

  private static boolean names(X509Certificate certificate, X509Certificate authority) {
    return certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
  }

  /** Whether it says so, and its signature as well. */
  static boolean isBy(X509Certificate certificate, X509Certificate authority) {
    if (!names(certificate, authority)) {
      return false;
    }
    try {
      certificate.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private void check(X509Certificate certificate, X509Certificate authority)
      throws CertificateException {
    try {
      PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(authority, null)));
      parameters.setRevocationEnabled(false);
      parameters.setDate(now());
      CertPathValidator.getInstance("PKIX")
          .validate(
              CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)),
              parameters);
    } catch (InvalidAlgorithmParameterException e) {
      throw new IllegalStateException(e);
    } catch (GeneralSecurityException e) {
      throw new CertificateException(
          "the certificate of %s is not by this cluster's authority: %s"
              .formatted(name(certificate), e.getMessage()),
          e);
    }
  }

  private void checkTime(X509Certificate certificate) throws CertificateException {
    try {
      certificate.checkValidity(now());
    } catch (CertificateNotYetValidException e) {
      throw new CertificateException(
          "the certificate of %s is good from %s on, and here it is %s: check the clocks"
              .formatted(
                  name(certificate), certificate.getNotBefore().toInstant(), clock.instant()),
          e);
    } catch (CertificateException e) {
      throw new CertificateException(
          "the certificate of %s was good until %s, and here it is %s"
              .formatted(name(certificate), certificate.getNotAfter().toInstant(), clock.instant()),
          e);
    }
  }

  private static void requirePurpose(X509Certificate certificate, String purpose)
      throws CertificateException {
    List<String> purposes = certificate.getExtendedKeyUsage();
    if (purposes == null || !purposes.contains(purpose)) {
      throw new CertificateException(
          "the certificate of " + name(certificate) + " is not made for this");
    }
  }

  private Date now() {
    return Date.from(clock.instant());
  }

  private static String name(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName();
  }
}
