package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A machine whose fleetd starts before etcd can be reached. */
@ExtendWith(MachinesExtension.class)
class LateEtcdTest {

  private static final String WAITS = "fleetd waits for etcd at http://";

  @Test
  void fleetdWaitsSaysWhatForAndNoUnitThatIsOrderedAfterItFails(Machines machines) {
    FleetCluster cluster = FleetCluster.boot(machines, 1, "agent_ttl=6s");
    FleetMachine one = cluster.machine(1);
    one.sleeper("after.service");
    one.machine()
        .write(
            "/etc/systemd/system/ordered.service",
            """
            [Unit]
            Requires=fleet.service
            After=fleet.service
            [Service]
            Type=oneshot
            RemainAfterExit=yes
            WorkingDirectory=/root
            ExecStart=/opt/fleet/bin/fleetctl start --no-block after.service
            """);
    one.machine().succeed("systemctl", "daemon-reload");

    one.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");
    cluster.wire(one).silence();
    one.machine().succeed("systemctl", "start", "--no-block", "ordered.service");
    one.machine().awaitJournal(WAITS);
    assertThat(one.fleetctl("list-units").stderr()).contains(WAITS).contains("HTTP 503");
    assertThat(one.machine().run("systemctl", "status", "fleet.service").stdout())
        .contains("Status: \"" + WAITS)
        .contains("(fleetd)");
    assertThat(one.machine().property("fleet.service", "ActiveState")).isEqualTo("activating");
    assertThat(one.machine().succeed("systemctl", "list-jobs")).contains("ordered.service");

    cluster.wire(one).heal();
    one.machine().awaitState("ordered.service", "active");
    cluster.awaitRunning("after.service");

    cluster.wire(one).silence();
    one.machine().run("systemctl", "restart", "fleet.service").orThrow();
    assertThat(one.machine().property("fleet.service", "NRestarts")).isEqualTo("0");
    assertThat(one.fleetctl("list-units").stderr()).contains(WAITS);
    one.sleeper("later.service");
    one.machine()
        .write(
            "/etc/systemd/system/later-ordered.service",
            """
            [Unit]
            After=fleet.service
            [Service]
            Type=oneshot
            RemainAfterExit=yes
            WorkingDirectory=/root
            ExecStart=/opt/fleet/bin/fleetctl start --no-block later.service
            """);
    one.machine().succeed("systemctl", "daemon-reload");
    one.machine().succeed("systemctl", "start", "--no-block", "later-ordered.service");
    one.machine().awaitJournal("waiting with it");
    assertThat(one.machine().property("later-ordered.service", "ActiveState"))
        .isEqualTo("activating");
    assertThat(one.machine().succeed("sh", "-c", "journalctl -b -u fleet | grep -c 'fleetd waits'"))
        .isEqualTo("2");
    cluster.wire(one).heal();
    cluster.await("it goes on by itself", () -> one.fleetctl("list-units").ok());
    one.machine().awaitState("later-ordered.service", "active");
    cluster.awaitRunning("later.service");
    cluster.awaitMembers();
    one.machine()
        .await(
            "its status tells of its units",
            () ->
                one.machine()
                    .property("fleet.service", "StatusText")
                    .contains("; leads 1 machine with 2 units; 2 units here"));
  }
}
