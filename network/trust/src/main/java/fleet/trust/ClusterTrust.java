package fleet.trust;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.function.Supplier;

/** The trust of a machine in other machines of the cluster; as servers it trusts only servers. */
final class ClusterTrust extends MutualTrust {

  private final Supplier<Identity> own;
  private final CertificateCheck check;

  ClusterTrust(Supplier<Identity> own, Clock clock) {
    this.own = own;
    this.check = new CertificateCheck(clock);
  }

  @Override
  void checkClient(X509Certificate[] chain) throws CertificateException {
    check.client(chain, own.get().trusted());
  }

  @Override
  void checkServer(X509Certificate[] chain) throws CertificateException {
    Peer server = check.server(chain, own.get().trusted());
    if (own.get().hasRemoved(chain[0])) {
      throw new CertificateException(
          "machine %s was removed from the cluster".formatted(server.machine()));
    }
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return own.get().trusted().toArray(X509Certificate[]::new);
  }
}
