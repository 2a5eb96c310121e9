package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Identities whose time is over, on machines that nobody restarts. */
@ExtendWith(MachinesExtension.class)
class IdentityRenewalTest {

  private static final String IDENTITY = "/var/lib/fleet/identity.pem";

  @Test
  void theyAreRenewedWithoutARestartOnServersAndOnMachinesThatHaveJoined(Machines machines) {
    List<FleetMachine> booted = machines.boot(2).stream().map(FleetMachine::new).toList();
    booted.getFirst().configureServer().install();
    JoinedCluster cluster = JoinedCluster.of(booted.subList(0, 1), booted.subList(1, 2));
    FleetMachine joined = cluster.joined(1);
    booted.forEach(one -> one.withClock().machine().succeed("systemctl", "restart", "fleet"));
    joined.machine().await("both are listed again", () -> Members.listed(joined) == 2);
    joined.sleeper("kept.service").succeed("start", "kept.service");
    var units = cluster.members().processes("kept.service");
    String identity = joined.machine().read(IDENTITY);
    List<String> processes = booted.stream().map(one -> one.pid("fleet.service")).toList();

    // Half of its life is over, and then more than all: the first identity is worth nothing.
    for (String later : List.of("+20d", "+40d")) {
      // The server first: until it sees the time, it would give others a certificate that ends
      // soon.
      for (FleetMachine one : booted) {
        String old = identityOf(one);
        one.stepClock(later);
        one.machine().await("another identity", () -> !identityOf(one).equals(old));
      }
    }

    assertThat(joined.machine().read(IDENTITY)).isNotEqualTo(identity);
    assertThat(booted.stream().map(one -> one.pid("fleet.service")).toList()).isEqualTo(processes);
    joined.machine().await("both are listed", () -> Members.listed(joined) == 2);
    assertThat(cluster.members().processes("kept.service")).isEqualTo(units);
  }

  private static String identityOf(FleetMachine one) {
    return one.machine().read(IDENTITY);
  }
}
