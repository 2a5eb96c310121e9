package fleet.fleetctl.http;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts the servers that another one trusts, and keeps what the last one showed. */
final class WitnessedTrust extends ServerVerifier {

  private final X509ExtendedTrustManager trust;
  private List<X509Certificate> shown = List.of();

  WitnessedTrust(X509ExtendedTrustManager trust) {
    this.trust = trust;
  }

  /** The certificates of the server, its own first; empty before it has shown any. */
  List<X509Certificate> shown() {
    return shown;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    shown = List.of(chain);
    trust.checkServerTrusted(chain, authType, socket);
  }
}
