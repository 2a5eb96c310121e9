package fleet.trust;

import java.security.cert.CertificateException;

/** Who was called is of another cluster than the token with which this machine is to join. */
public final class OtherClusterException extends CertificateException {
  OtherClusterException(String message) {
    super(message);
  }
}
