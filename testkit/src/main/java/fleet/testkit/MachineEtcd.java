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
public record MachineEtcd(List<Machine> machines) {

  public MachineEtcd {
    machines = List.copyOf(machines);
  }

  /** Installs and starts a member on each machine, and returns when all serve. */
  public static MachineEtcd install(List<Machine> machines) {
    Needs.checkForEtcd();
    var etcd = new MachineEtcd(machines);
    machines.forEach(etcd::configure);
    // Not enabled: Debian's systemctl would look for run levels, which these machines do not have.
    for (Machine machine : machines) {
      machine.succeed("systemctl", "add-wants", "multi-user.target", "etcd.service");
      machine.succeed("systemctl", "start", "--no-block", "etcd.service");
    }
    machines.forEach(machine -> machine.awaitState("etcd.service", "active"));
    return etcd;
  }

  private void configure(Machine machine) {
    // What this machine's own etcd has is not theirs.
    machine.succeed("sh", "-c", "rm -rf /var/lib/etcd/*");
    String address = machine.address();
    machine.write(
        "/etc/default/etcd",
        """
        ETCD_NAME=%1$s
        ETCD_LISTEN_PEER_URLS=http://%2$s:2380
        ETCD_LISTEN_CLIENT_URLS=http://%2$s:2379,http://127.0.0.1:2379
        ETCD_INITIAL_ADVERTISE_PEER_URLS=http://%2$s:2380
        ETCD_ADVERTISE_CLIENT_URLS=http://%2$s:2379
        ETCD_INITIAL_CLUSTER=%3$s
        ETCD_INITIAL_CLUSTER_STATE=new
        ETCD_AUTO_COMPACTION_MODE=periodic
        ETCD_AUTO_COMPACTION_RETENTION=1h
        """
            .formatted(machine.name(), address, members()));
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
