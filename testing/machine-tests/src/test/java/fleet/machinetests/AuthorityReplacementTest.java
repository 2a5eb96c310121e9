package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import fleet.testkit.Result;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The authority is replaced while units run, a machine is away, and the leader is killed. */
@Order(1)
@ExtendWith(MachinesExtension.class)
class AuthorityReplacementTest {

  private static final String IDENTITY = "/var/lib/fleet/identity.pem";
  private static final int BEHIND = 3;

  private static String authority(FleetMachine server) {
    return server
        .fleetctl("ca", "status")
        .stdout()
        .lines()
        .filter(line -> line.contains("current"))
        .map(line -> line.substring(0, line.indexOf("\t")))
        .findFirst()
        .orElseThrow();
  }

  private static void awaitInOrder(FleetMachine server) {
    server.machine().await("nobody is behind", () -> server.fleetctl("ca", "status").ok());
  }

  @Test
  void nobodyWhoCanBeReachedIsLostAndWhoIsAwayComesBack(Machines machines) {
    JoinedCluster cluster = JoinedCluster.boot(machines, 2, FleetMachine.PATIENT);
    FleetMachine server = cluster.server();
    FleetMachine there = cluster.joined(1);
    FleetMachine away = cluster.joined(2);
    String old = cluster.token();
    // Its units would move while it is away, and these are to be left alone.
    server.succeed("cordon", away.machine().id());
    there.sleeper("kept@.service");
    there.succeed("start", "kept@1", "kept@2", "kept@3");
    Map<String, String> units = cluster.members().processes("kept@*");
    assertThat(units).hasSize(3);
    awaitInOrder(server);
    String first = authority(server);

    // Nothing moves while a machine that is there does not follow; then its leader is gone.
    away.killFleetdForGood();
    there.freezeFleetd();
    assertThat(server.fleetctl("ca", "rotate", "--no-block").exitCode()).isEqualTo(BEHIND);
    assertThat(server.fleetctl("ca", "status").exitCode()).isEqualTo(BEHIND);
    server.killFleetd();
    there.thawFleetd();

    Result rotated = server.fleetctl("ca", "rotate");
    assertThat(rotated.exitCode()).as(rotated.toString()).isEqualTo(BEHIND);
    assertThat(rotated.stderr())
        .contains("Machine " + away.machine().id() + " is away", "ca rotate --finish");
    String second = authority(server);
    assertThat(second).isNotEqualTo(first);
    assertThat(there.machine().read(IDENTITY).split("BEGIN CERTIFICATE", -1)).hasSize(5);

    // It knows only the former one, and needs no token.
    away.reviveFleetd();
    awaitInOrder(server);
    assertThat(authority(server)).isEqualTo(second);
    cluster.members().awaitListed();
    assertThat(cluster.members().processes("kept@*")).isEqualTo(units);
    assertThat(server.succeed("events", "--since=all"))
        .contains(second + " signs", "no longer trusted");

    isLostAndComesBackWithAToken(cluster, away, old);
    assertThat(cluster.members().processes("kept@*")).isEqualTo(units);
  }

  /** An operator does not wait for it. */
  private static void isLostAndComesBackWithAToken(
      JoinedCluster cluster, FleetMachine away, String old) {
    FleetMachine server = cluster.server();
    away.killFleetdForGood();
    server.machine().await("it is not listed", () -> Members.listed(server) == 2);
    Result finished = server.fleetctl("ca", "rotate", "--finish");
    assertThat(finished.exitCode()).as(finished.toString()).isZero();
    assertThat(server.fleetctl("ca", "status").exitCode()).isEqualTo(BEHIND);
    assertThat(server.fleetctl("ca", "status").stdout())
        .contains(away.machine().id(), "needs a token to come back");

    away.reviveFleetd();
    away.machine().awaitJournal("the authority was replaced while this machine was away");
    away.configureJoined(cluster.addresses(), cluster.token());
    away.machine().succeed("systemctl", "restart", "fleet.service");
    awaitInOrder(server);
    cluster.members().awaitListed();

    away.machine().succeed("systemctl", "stop", "fleet.service", "fleet.socket");
    away.machine().succeed("rm", IDENTITY);
    away.configureJoined(cluster.addresses(), old);
    away.machine().run("systemctl", "start", "fleet.service");
    away.machine().awaitJournal("its authority was replaced since the token was made");
    away.machine().awaitState("fleet.service", "failed");
  }
}
