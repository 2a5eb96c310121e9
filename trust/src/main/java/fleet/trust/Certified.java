package fleet.trust;

import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;

/**
 * What an authority answers to a {@link CertificateRequest}.
 *
 * @param certificate for the machine
 * @param authority the one that vouches for it
 */
public record Certified(X509Certificate certificate, X509Certificate authority) {

  /**
   * Reads what was sent.
   *
   * @param certificate in DER
   * @param authority in DER
   */
  public static Certified of(byte[] certificate, byte[] authority) throws TrustException {
    try {
      return new Certified(Pem.certificate(certificate), Pem.certificate(authority));
    } catch (CertificateException e) {
      throw new TrustException("the certificate that the server sent cannot be read", e);
    }
  }

  /** The machine's certificate in DER. */
  public byte[] certificateDer() {
    return der(certificate);
  }

  /** The authority's certificate in DER. */
  public byte[] authorityDer() {
    return der(authority);
  }

  private static byte[] der(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }
}
