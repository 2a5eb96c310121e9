package fleet.trust;

import java.security.cert.CertificateException;

/** The called server belongs to another cluster than the join token. */
public final class OtherClusterException extends CertificateException {
  OtherClusterException(String message) {
    super(message);
  }
}
