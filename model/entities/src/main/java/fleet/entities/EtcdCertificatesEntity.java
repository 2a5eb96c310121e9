package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/**
 * Certificates and keys of a member of etcd, and of fleetd as its client, each in PEM.
 *
 * @param names that the member is reached by; what is asked with has these alone
 */
@Json
public record EtcdCertificatesEntity(
    String authority,
    String certificate,
    String clientCertificate,
    String clientKey,
    String ends,
    String key,
    List<String> names)
    implements Entity {

  public EtcdCertificatesEntity {
    authority = Empty.ifAbsent(authority);
    certificate = Empty.ifAbsent(certificate);
    clientCertificate = Empty.ifAbsent(clientCertificate);
    clientKey = Empty.ifAbsent(clientKey);
    ends = Empty.ifAbsent(ends);
    key = Empty.ifAbsent(key);
    names = Empty.ifAbsent(names);
  }

  /** Asks for certificates of a member that is reached by these names. */
  public static EtcdCertificatesEntity wanted(List<String> names) {
    return new EtcdCertificatesEntity("", "", "", "", "", "", names);
  }

  /** Without the keys. */
  @Override
  public String toString() {
    return "EtcdCertificatesEntity" + names;
  }
}
