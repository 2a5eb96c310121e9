package fleet.registry.etcd;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where etcd is, and how to talk to it.
 *
 * @param endpoints {@code http} or {@code https}, all the same; one that answers is enough
 * @param keyPrefix put before every key, e.g. {@code /fleet/}; other keys are left alone. A slash
 *     at its end is added if it is missing. Empty: all of etcd is fleet's
 * @param writer names this handle among all that write below the prefix, e.g. a machine's id; two
 *     that share a name at the same time stay correct, but may learn less about lost answers
 * @param requestTimeout how long one request may take
 * @param patience how long a call goes on trying before it gives up; etcd 3.4 may take 7 s to
 *     answer again after it lost its leader. A commit tries as long again to learn a lost outcome
 * @param quota bytes that etcd's database may grow to, which etcd does not tell: its {@code
 *     --quota-backend-bytes}. There is a warning above half of it
 * @param compactAfter how old changes become before the registry has etcd forget them; none if etcd
 *     is shared, or compacts by itself ({@code --auto-compaction-retention})
 */
public record EtcdOptions(
    List<URI> endpoints,
    String keyPrefix,
    String writer,
    Duration requestTimeout,
    Duration patience,
    Optional<Login> login,
    Optional<Tls> tls,
    long quota,
    Optional<Duration> compactAfter) {

  /** The quota of etcd 3.4 and newer unless told otherwise: 2 GiB. */
  public static final long DEFAULT_QUOTA = 2L << 30;

  /** A user of etcd's own. */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return "user " + user;
    }
  }

  /**
   * Files in PEM.
   *
   * @param authority the certificates to trust; the system's if there are none
   * @param client what this side shows
   */
  public record Tls(Optional<Path> authority, Optional<Client> client) {

    /** A certificate and its key; the key is in PKCS#8 and not encrypted. */
    public record Client(Path certificate, Path key) {}

    @Override
    public String toString() {
      return Stream.concat(
              authority.stream(),
              client.stream().flatMap(own -> Stream.of(own.certificate, own.key)))
          .map(Path::toString)
          .collect(Collectors.joining(", "));
    }
  }

  public EtcdOptions {
    endpoints = List.copyOf(endpoints);
    keyPrefix = keyPrefix.isEmpty() || keyPrefix.endsWith("/") ? keyPrefix : keyPrefix + "/";
    if (quota <= 0 || compactAfter.filter(age -> !age.isPositive()).isPresent()) {
      throw new IllegalArgumentException("etcd's quota and the age of compaction are above zero");
    }
    if (endpoints.isEmpty() || writer.isEmpty()) {
      throw new IllegalArgumentException("etcd needs at least one endpoint, and a writer's name");
    }
    for (URI endpoint : endpoints) {
      String scheme = tls.isPresent() ? "https" : "http";
      if (endpoint.getHost() == null || !scheme.equals(endpoint.getScheme())) {
        throw new IllegalArgumentException(
            "etcd endpoint %s is not of the form %s://host:port".formatted(endpoint, scheme));
      }
    }
  }

  /** For messages. */
  String where() {
    return "etcd at " + endpoints.stream().map(URI::toString).collect(Collectors.joining(", "));
  }
}
