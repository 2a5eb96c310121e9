package fleet.testkit;

import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An etcd whose members are services in machines, as the guide to a cluster sets it up: Debian's
 * etcd.service, told what to do by {@code /etc/default/etcd}. It shares the fate of its machines.
 *
 * @param machines one member each
 */
public record MachineEtcd(List<BootedMachine> machines) {

  private static final String DEFAULTS = "/etc/default/etcd";

  private static final String TLS =
      """
      ETCD_CERT_FILE=/etc/etcd/server.crt
      ETCD_KEY_FILE=/etc/etcd/server.key
      ETCD_TRUSTED_CA_FILE=/etc/etcd/ca.crt
      ETCD_CLIENT_CERT_AUTH=true
      ETCD_PEER_CERT_FILE=/etc/etcd/server.crt
      ETCD_PEER_KEY_FILE=/etc/etcd/server.key
      ETCD_PEER_TRUSTED_CA_FILE=/etc/etcd/ca.crt
      ETCD_PEER_CLIENT_CERT_AUTH=true
      """;

  public MachineEtcd {
    machines = List.copyOf(machines);
  }

  /** Installs and starts a member on each machine, and returns when all serve. */
  public static MachineEtcd install(List<BootedMachine> machines) {
    var etcd = new MachineEtcd(machines);
    machines.forEach(machine -> configure(machine, "http", etcd.members()));
    return etcd.start();
  }

  /**
   * The same with one member, which speaks TLS and asks clients for certificates.
   *
   * @param files a directory of the machine with {@code ca.crt}, {@code server.crt} and {@code
   *     server.key}
   */
  public static void install(BootedMachine machine, String files) {
    machine.succeed("install", "-d", "-o", "etcd", "-m", "700", "/etc/etcd");
    for (String file : List.of("ca.crt", "server.crt", "server.key")) {
      machine.succeed("install", "-o", "etcd", "-m", "600", files + "/" + file, "/etc/etcd");
    }
    var etcd = new MachineEtcd(List.of(machine));
    configure(machine, "https", etcd.members().replace("http:", "https:"));
    machine.write(DEFAULTS, machine.read(DEFAULTS) + "\n" + TLS);
    var _ = etcd.start();
  }

  private MachineEtcd start() {
    // Not enabled: Debian's systemctl would look for run levels, which these machines do not have.
    for (BootedMachine machine : machines) {
      machine.succeed("systemctl", "add-wants", "multi-user.target", "etcd.service");
      machine.succeed("systemctl", "start", "--no-block", "etcd.service");
    }
    machines.forEach(machine -> machine.awaitState("etcd.service", "active"));
    return this;
  }

  private static void configure(BootedMachine machine, String scheme, String members) {
    Needs.checkForEtcd();
    // Data of another etcd on this machine is not theirs.
    machine.succeed("sh", "-c", "rm -rf /var/lib/etcd/*");
    String address = machine.address();
    machine.write(
        DEFAULTS,
        """
        ETCD_NAME=%1$s
        ETCD_LISTEN_PEER_URLS=%4$s://%2$s:2380
        ETCD_LISTEN_CLIENT_URLS=%4$s://%2$s:2379,%4$s://127.0.0.1:2379
        ETCD_INITIAL_ADVERTISE_PEER_URLS=%4$s://%2$s:2380
        ETCD_ADVERTISE_CLIENT_URLS=%4$s://%2$s:2379
        ETCD_INITIAL_CLUSTER=%3$s
        ETCD_INITIAL_CLUSTER_STATE=new
        ETCD_AUTO_COMPACTION_MODE=periodic
        ETCD_AUTO_COMPACTION_RETENTION=1h
        """
            .formatted(machine.name(), address, members, scheme));
  }

  private String members() {
    return machines.stream()
        .map(machine -> "%s=http://%s:2380".formatted(machine.name(), machine.address()))
        .collect(Collectors.joining(","));
  }

  /** Where clients find its members. */
  public List<URI> endpoints() {
    return machines.stream()
        .map(machine -> URI.create("http://%s:2379".formatted(machine.address())))
        .toList();
  }
}
