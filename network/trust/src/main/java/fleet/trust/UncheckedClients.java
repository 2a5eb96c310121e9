package fleet.trust;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;

/**
 * Accepts the certificate of any client, or none; the answer says what is wrong with it, which an
 * alert of TLS would not. For servers alone.
 */
final class UncheckedClients extends MutualTrust {

  @Override
  void checkClient(X509Certificate[] chain) {
    // RegistryLogins tells whose certificate it is.
  }

  @Override
  void checkServer(X509Certificate[] chain) throws CertificateException {
    throw new CertificateException("this is for servers");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
