package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Certificates and keys of a member of etcd, and of fleetd as its client, each in PEM.
 *
 * @param names that the member is reached by; what is asked with has these alone
 */
@Json
public record EtcdCertificatesEntity(
    @Nullable String authority,
    @Nullable String certificate,
    @Nullable String clientCertificate,
    @Nullable String clientKey,
    @Nullable String ends,
    @Nullable String key,
    @Nullable List<String> names)
    implements Entity {

  public EtcdCertificatesEntity {
    authority = Absent.ifEmpty(authority);
    certificate = Absent.ifEmpty(certificate);
    clientCertificate = Absent.ifEmpty(clientCertificate);
    clientKey = Absent.ifEmpty(clientKey);
    ends = Absent.ifEmpty(ends);
    key = Absent.ifEmpty(key);
    names = Absent.ifEmpty(names);
  }

  /** Without the keys. */
  @Override
  public String toString() {
    return "EtcdCertificatesEntity" + names;
  }
}
