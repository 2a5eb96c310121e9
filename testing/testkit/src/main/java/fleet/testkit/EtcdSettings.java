package fleet.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How an etcd of a test is to be.
 *
 * @param members how many processes make it, 1 or 3
 * @param tls whether it talks TLS, and to those alone who show a certificate of its authority
 * @param password of the user {@code root}, without whom nothing may be read or written, if set
 * @param quotaBytes how much it may store, if not etcd's own measure
 */
public record EtcdSettings(
    int members, boolean tls, Optional<String> password, Optional<Long> quotaBytes) {

  /** One member, open to everybody who reaches it. */
  public static EtcdSettings plain() {
    return new EtcdSettings(1, false, Optional.empty(), Optional.empty());
  }

  /** The same with this many members. */
  public EtcdSettings withMembers(int count) {
    return new EtcdSettings(count, tls, password, quotaBytes);
  }

  /** The same for those alone who show a certificate, over TLS. */
  public EtcdSettings withTls() {
    return new EtcdSettings(members, true, password, quotaBytes);
  }

  /** The same for the user {@code root} alone. */
  public EtcdSettings withPassword(String ofRoot) {
    return new EtcdSettings(members, tls, Optional.of(ofRoot), quotaBytes);
  }

  EtcdSettings withoutPassword() {
    return new EtcdSettings(members, tls, Optional.empty(), quotaBytes);
  }

  /** The same, with room for little. */
  public EtcdSettings withQuota(long bytes) {
    return new EtcdSettings(members, tls, password, Optional.of(bytes));
  }

  String scheme() {
    return tls ? "https" : "http";
  }

  List<String> options(Path certificates) {
    var options = new ArrayList<String>();
    quotaBytes.ifPresent(bytes -> options.add("--quota-backend-bytes=" + bytes));
    if (tls) {
      options.add("--client-cert-auth");
      options.add("--trusted-ca-file=" + certificates.resolve("ca.pem"));
      options.add("--cert-file=" + certificates.resolve("server.pem"));
      options.add("--key-file=" + certificates.resolve("server.key"));
    }
    return List.copyOf(options);
  }
}
