package fleet.trust;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trust by the certificate alone: the machine counts, not the name or address by which it was
 * reached.
 */
abstract class MutualTrust extends X509ExtendedTrustManager {

  abstract void checkClient(X509Certificate[] chain) throws CertificateException;

  abstract void checkServer(X509Certificate[] chain) throws CertificateException;

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    checkClient(chain);
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    checkClient(chain);
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    checkClient(chain);
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    checkServer(chain);
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    checkServer(chain);
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    checkServer(chain);
  }
}
