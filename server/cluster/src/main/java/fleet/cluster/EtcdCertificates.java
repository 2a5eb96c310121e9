package fleet.cluster;

import java.time.Instant;

/**
 * Certificates and keys of a member of etcd, and of fleetd as its client, each in PEM. The keys are
 * kept nowhere.
 *
 * @param authority that both certificates are by, and no machine's is
 * @param certificate of the member, for its clients and for the other members
 * @param clientCertificate of fleetd
 * @param ends when both certificates do
 */
public record EtcdCertificates(
    String authority,
    String certificate,
    String key,
    String clientCertificate,
    String clientKey,
    Instant ends) {

  /** Without the keys. */
  @Override
  public String toString() {
    return "certificates for etcd until " + ends;
  }
}
