package fleet.fleetd.config;

import fleet.core.access.AccessRole;
import fleet.core.machine.Isolation;
import fleet.core.machine.Reservation;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The configuration of fleetd, every value checked.
 *
 * @param verbosity above 0: debug log
 * @param etcd the store that other machines share; empty if the registry is embedded
 * @param join servers that keep the registry and decide; never with {@code etcd}
 * @param publicIp empty if fleetd is to find it out itself
 * @param metadata sorted by key
 * @param resources of this machine, as far as it is not to find them out by itself
 * @param agentTtl how long a machine may be silent before it counts as lost
 * @param storm when so many machines vanish that their units stay where they are
 * @param leaderLease how long a leader may be silent before another one is elected
 * @param standbyUnits from how many units on a second engine keeps itself ready to lead; 0: never
 * @param rpcPort where the leader listens for the engines that stand by
 * @param rpcInsecure plain text between machines was asked for explicitly
 * @param systemdUser manage units of the user's systemd, not the system's
 * @param tokenLimit entries on a page of the API
 * @param enableExec whether people may run commands on this machine
 * @param auditFile where the audit log goes beside the journal
 */
public record Configuration(
    int verbosity,
    Optional<Etcd> etcd,
    Optional<Join> join,
    Duration engineReconcileInterval,
    String publicIp,
    Map<String, String> metadata,
    Resources resources,
    Duration agentTtl,
    Storm storm,
    Isolation onIsolation,
    Duration leaderLease,
    int standbyUnits,
    int rpcPort,
    boolean rpcInsecure,
    boolean systemdUser,
    int tokenLimit,
    boolean disableEngine,
    boolean enableGrpc,
    boolean enableExec,
    boolean disableWatches,
    Directories directories,
    Api api,
    Optional<Path> auditFile) {

  public Configuration {
    metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
  }

  /**
   * The resources of this machine, and their part that is not for units.
   *
   * @param declared amounts, or shares of what the system says; nothing if the system is to say
   * @param kept for the machine itself; shares are of what it has
   */
  public record Resources(Reservation declared, Reservation kept) {}

  /**
   * Many machines that vanish within {@code agentTtl}: {@code storm_percent}, {@code
   * storm_machines}, {@code storm_pause}.
   *
   * @param percent more of the machines than these; 100 for no storm ever
   * @param machines as many at least, or half of all
   * @param pause how long their units stay where they are
   */
  public record Storm(int percent, int machines, Duration pause) {}

  /**
   * Servers whose cluster this machine is to be part of.
   *
   * @param servers at least one, unresolved, to be tried in this order
   * @param token needed until this machine has an identity of that cluster
   */
  public record Join(List<InetSocketAddress> servers, Optional<String> token) {

    /** The RPC port of servers that name none. */
    public static final int DEFAULT_PORT = 50059;

    public Join {
      servers = List.copyOf(servers);
    }

    /** Without the token. */
    @Override
    public String toString() {
      return "join " + servers;
    }
  }

  /**
   * A registry in etcd.
   *
   * @param servers all {@code http} or all {@code https}, the latter if there is {@code tls}
   * @param keyPrefix starts and ends with a slash
   * @param quota what etcd was started with, in bytes
   * @param compactAfter how old what was overwritten may become; empty if others compact
   */
  public record Etcd(
      List<URI> servers,
      Optional<Login> login,
      Optional<EtcdTls> tls,
      String keyPrefix,
      Duration requestTimeout,
      long quota,
      Optional<Duration> compactAfter) {

    public Etcd {
      servers = List.copyOf(servers);
    }
  }

  /** A user of etcd's own. */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return "user " + user;
    }
  }

  /**
   * PEM files.
   *
   * @param authority whom to trust; those whom the system trusts if it is empty
   * @param client what this machine shows
   */
  public record EtcdTls(Optional<Path> authority, Optional<Certificate> client) {}

  /** A certificate and its key, in PEM. */
  public record Certificate(Path certfile, Path keyfile) {}

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
   * @param socket to be made if systemd hands over no sockets
   * @param listen unresolved
   * @param listenForPeople the same, with certificates of the cluster's own authority
   * @param port where people log in if {@code listenForPeople} does not say; 0 for nowhere
   * @param tls on the TCP addresses, if set
   * @param names by which clients may ask for this machine over TCP, besides its own
   * @param certificateRole of everybody with a certificate that the authority has signed, beside
   *     what people are granted
   * @param insecureTcp plain TCP beyond loopback was asked for in so many words
   * @param metricsListen where everybody may read metrics and health; unresolved
   */
  public record Api(
      Path socket,
      List<InetSocketAddress> listen,
      List<InetSocketAddress> listenForPeople,
      int port,
      Optional<Tls> tls,
      List<String> names,
      Optional<AccessRole> certificateRole,
      boolean insecureTcp,
      List<InetSocketAddress> metricsListen) {

    /** Whether clients need a certificate and, beside it, a grant. */
    public boolean refusesCertificates() {
      return tls.isPresent() && !listen.isEmpty() && certificateRole.isEmpty();
    }
  }

  /** PEM files. Clients need a certificate that {@code cafile} vouches for. */
  public record Tls(Path certfile, Path keyfile, Path cafile) {}
}
