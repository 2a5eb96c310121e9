package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.MachineEtcd;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** fleet makes the certificates of the etcd that its registry moves to. */
@ExtendWith(MachinesExtension.class)
class EtcdCertificatesTest {

  private static Result etcdctl(FleetMachine from, String server, String cert, String key) {
    return from.machine()
        .run(
            "env",
            "ETCDCTL_API=3",
            "etcdctl",
            "--endpoints=https://%s:2379".formatted(server),
            "--cacert=/root/ca.crt",
            "--cert=" + cert,
            "--key=" + key,
            "put",
            "x",
            "y");
  }

  @Test
  void fleetdIsServedByItAndTheIdentityOfAMachineIsNot(Machines machines) {
    JoinedCluster cluster = JoinedCluster.boot(machines, 1, FleetMachine.PATIENT);
    FleetMachine server = cluster.server();
    FleetMachine agent = cluster.joined(1);
    String address = server.machine().address();
    agent.sleeper("kept@.service").succeed("start", "kept@1", "kept@2");
    Map<String, String> units = cluster.members().processes("kept@*");

    assertThat(server.succeed("ca", "etcd", address, "--out=/root/tls")).contains("good until");
    String files = "/root/tls/" + address;
    MachineEtcd.install(server.machine(), files);
    agent.machine().write("/root/ca.crt", server.machine().read(files + "/ca.crt"));
    agent.machine().write("/root/f.crt", server.machine().read(files + "/fleetd.crt"));
    agent.machine().write("/root/f.key", server.machine().read(files + "/fleetd.key"));

    // Write access there is root access everywhere: a machine that has joined must not have it.
    String identity = "/var/lib/fleet/identity.pem";
    assertThat(etcdctl(agent, address, identity, identity).ok()).isFalse();
    Result client = etcdctl(agent, address, "/root/f.crt", "/root/f.key");
    assertThat(client.ok()).as(client.toString()).isTrue();

    server
        .machine()
        .succeed("sh", "-c", "install -m 600 /root/tls/%s/* /etc/fleet".formatted(address));
    server.set("etcd_cafile", "/etc/fleet/ca.crt");
    server.set("etcd_certfile", "/etc/fleet/fleetd.crt");
    server.set("etcd_keyfile", "/etc/fleet/fleetd.key");
    server.set("etcd_servers", "[\"https://%s:2379\"]".formatted(address));
    server.machine().succeed("systemctl", "restart", "fleet.service");
    server.machine().awaitJournal("moved it, with");
    cluster.members().awaitListed();
    assertThat(cluster.members().processes("kept@*")).isEqualTo(units);

    // The authority for etcd has moved along.
    assertThat(server.succeed("ca", "status")).contains("The certificates for etcd on " + address);
    assertThat(server.succeed("ca", "etcd", "another", "--out=/root/tls")).contains("good until");
    assertThat(server.machine().read("/root/tls/another/ca.crt"))
        .isEqualTo(server.machine().read("/etc/etcd/ca.crt"));
    assertThat(server.succeed("audit", "--since=1h")).contains("etcd.certify " + address + " done");
  }
}
