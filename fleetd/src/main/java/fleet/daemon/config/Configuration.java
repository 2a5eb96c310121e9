package fleet.daemon.config;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What fleetd is told, every value checked.
 *
 * @param verbosity above 0: debug log
 * @param publicIp empty where fleetd is to find out itself
 * @param metadata sorted by key
 * @param systemdUser manage units of the user's systemd, not the system's
 * @param tokenLimit entries on a page of the API
 */
public record Configuration(
    int verbosity,
    Etcd etcd,
    Duration engineReconcileInterval,
    String publicIp,
    Map<String, String> metadata,
    Duration agentTtl,
    boolean systemdUser,
    int tokenLimit,
    boolean disableEngine,
    boolean enableGrpc,
    boolean disableWatches,
    Directories directories,
    Api api) {

  public Configuration {
    metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
  }

  /**
   * Options of a registry in etcd. Texts are empty where not set.
   *
   * @param keyPrefix starts and ends with a slash
   */
  public record Etcd(
      List<String> servers,
      String username,
      String password,
      String cafile,
      String certfile,
      String keyfile,
      String keyPrefix,
      Duration requestTimeout) {}

  /**
   * Absolute paths, not necessarily there yet.
   *
   * @param units the unit files of this machine's units; gone after a reboot
   * @param data the registry; survives reboots
   * @param runtime ownership marks; gone after a reboot
   */
  public record Directories(Path units, Path data, Path runtime) {}

  /**
   * Where the API listens.
   *
   * @param socket to be made where systemd hands over no sockets
   * @param listen unresolved
   * @param tls on the TCP addresses, where set
   * @param insecureTcp plain TCP beyond loopback was asked for in so many words
   */
  public record Api(
      Path socket, List<InetSocketAddress> listen, Optional<Tls> tls, boolean insecureTcp) {}

  /** PEM files. Clients need a certificate that {@code cafile} vouches for. */
  public record Tls(Path certfile, Path keyfile, Path cafile) {}
}
