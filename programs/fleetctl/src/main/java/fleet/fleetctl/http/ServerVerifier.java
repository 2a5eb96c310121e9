package fleet.fleetctl.http;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Decides which servers are trusted. fleetctl is a client, and uses sockets alone. */
public abstract class ServerVerifier extends X509ExtendedTrustManager {

  private static final String SERVES_NOBODY = "fleetctl serves nobody";
  private static final String WITHOUT_SOCKET = "fleetctl uses sockets alone";

  @Override
  public abstract void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException;

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException(WITHOUT_SOCKET);
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException(WITHOUT_SOCKET);
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException(SERVES_NOBODY);
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw new CertificateException(SERVES_NOBODY);
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException(SERVES_NOBODY);
  }

  @Override
  public final X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
