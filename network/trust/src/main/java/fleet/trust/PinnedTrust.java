package fleet.trust;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;

/**
 * The trust of a machine that is about to join: only in servers of the cluster that its token
 * names. Only for outgoing calls.
 */
final class PinnedTrust extends MutualTrust {

  private final Fingerprint authority;
  private final CertificateCheck check;

  PinnedTrust(Fingerprint authority, Clock clock) {
    this.authority = authority;
    this.check = new CertificateCheck(clock);
  }

  @Override
  void checkClient(X509Certificate[] chain) throws CertificateException {
    throw new CertificateException("a machine that is about to join answers nobody");
  }

  @Override
  void checkServer(X509Certificate[] chain) throws CertificateException {
    for (X509Certificate shown : chain) {
      if (Fingerprint.of(shown).equals(authority)) {
        check.server(chain, List.of(shown));
        return;
      }
    }
    throw new OtherClusterException(
        "the server is of another cluster than the token, or its authority was replaced since the token"
            + " was made: it is not "
            + authority
            + "; make another token there with \"fleetctl token create\"");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
