package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.BackgroundTasks;
import fleet.testkit.BootedMachine;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineEtcd;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import fleet.testkit.Result;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Three machines, each with a server of etcd and fleet, as the guide to a cluster sets them up. */
@ExtendWith(MachinesExtension.class)
class ThreeEtcdsTest {

  private static List<FleetMachine> all;

  @BeforeAll
  static void followTheGuide(Machines machines) {
    List<BootedMachine> three = machines.boot(3);
    MachineEtcd etcd = MachineEtcd.install(three);
    all = three.stream().map(FleetMachine::new).toList();
    BackgroundTasks.each(all, one -> one.installWithEtcd(etcd.endpoints(), "agent_ttl=12s"));
    awaitListed(3, all.getFirst());
  }

  private static void awaitListed(int count, FleetMachine by) {
    by.machine().await(count + " machines are listed", () -> Members.listed(by) == count);
  }

  /** Also what the store took after its command had failed. */
  @AfterEach
  void destroyAll() {
    new Members(all).destroyAll();
  }

  @Test
  void anyMachineMayBeLost() {
    FleetMachine first = all.getFirst();
    first.sleeper("unit@.service").succeed("start", "unit@1", "unit@2", "unit@3");
    for (FleetMachine lost : all) {
      List<FleetMachine> others = all.stream().filter(one -> !one.equals(lost)).toList();
      lost.losePower();
      FleetMachine one = others.getFirst();
      one.machine()
          .await(
              "the two others run all of it",
              () -> others.stream().mapToInt(two -> two.active("unit@*").size()).sum() == 3);
      one.sleeper("new.service").succeed("start", "new.service");
      one.succeed("destroy", "new.service");
      lost.machine().boot();
      awaitListed(3, lost);
      assertThat(lost.active("unit@*")).isEmpty();
    }
  }

  @Test
  void theOverviewNamesAMemberOfEtcdThatIsAwayAndAUnitThatFailed() {
    FleetMachine first = all.getFirst();
    BootedMachine last = all.getLast().machine();
    awaitListed(3, first);
    first
        .machine()
        .await("nothing is wrong", () -> first.fleetctl("status").stdout().contains("is healthy"));
    last.succeed("systemctl", "stop", "etcd");
    first
        .machine()
        .await(
            "a member of etcd is missed",
            () -> first.fleetctl("status").stdout().contains("2 of 3 members healthy"));
    Result degraded = first.fleetctl("status");
    assertThat(degraded.exitCode()).isEqualTo(1);
    assertThat(degraded.stdout())
        .startsWith("Cluster is degraded: ")
        .contains("the store is not healthy")
        .contains("does not answer at");
    last.succeed("systemctl", "start", "etcd");
    first.machine().await("nothing is wrong again", () -> first.fleetctl("status").exitCode() == 0);

    first.unitFile("broken.service", "[Service]\nExecStart=/bin/false\n");
    first.fleetctl("start", "broken.service");
    Result failed = first.fleetctl("status");
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.stdout()).contains("1 unit failed").contains("broken.service");
    first.succeed("destroy", "broken.service");
    first.machine().await("it is forgotten", () -> first.fleetctl("status").exitCode() == 0);
  }

  @Test
  void withoutAQuorumNothingChangesAndCommandsSaySo() {
    FleetMachine first = all.getFirst();
    first.sleeper("kept.service", "MachineID=" + first.machine().id());
    first.succeed("start", "kept.service");
    String pid = first.pid("kept.service");

    all.stream().skip(1).forEach(one -> one.machine().succeed("systemctl", "stop", "etcd"));

    Result start = first.sleeper("never.service").fleetctl("start", "never.service");
    assertThat(start.ok()).isFalse();
    assertThat(start.stderr()).contains("etcd");
    assertThat(first.pid("kept.service")).isEqualTo(pid);

    all.stream()
        .skip(1)
        .forEach(one -> one.machine().succeed("systemctl", "start", "--no-block", "etcd"));
    awaitListed(3, first);
    assertThat(first.pid("kept.service")).isEqualTo(pid);
  }
}
