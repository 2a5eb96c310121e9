package fleet.trust;

import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;

/**
 * The answer of an authority to a {@link CertificateRequest}.
 *
 * @param certificate for the machine
 * @param authorities its issuer, and all that the machine must trust
 */
public record IssuedCertificate(X509Certificate certificate, Authorities authorities) {

  /**
   * Reads what was sent.
   *
   * @param certificate in DER
   */
  public static IssuedCertificate of(byte[] certificate, Authorities authorities)
      throws TrustException {
    try {
      return new IssuedCertificate(Pem.certificate(certificate), authorities);
    } catch (CertificateException e) {
      throw new TrustException("the certificate that the server sent cannot be read", e);
    }
  }

  /** The one that vouches for it. */
  public X509Certificate authority() {
    return authorities.signing();
  }

  /** The machine's certificate in DER. */
  public byte[] certificateDer() {
    return der(certificate);
  }

  /** A certificate in DER. */
  public static byte[] der(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }
}
