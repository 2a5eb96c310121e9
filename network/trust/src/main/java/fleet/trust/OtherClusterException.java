package fleet.trust;

import java.security.cert.CertificateException;

/** A server that was called is not of the cluster of the token with which this machine joins. */
public final class OtherClusterException extends CertificateException {
  OtherClusterException(String message) {
    super(message);
  }
}
