package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import fleet.testkit.SharedMachines;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Three machines, none of which fails: what goes where. */
@ExtendWith(MachinesExtension.class)
@Execution(ExecutionMode.CONCURRENT)
class PlacementTest {
  private static FleetCluster cluster;
  private static FleetMachine first;
  private static FleetMachine second;
  private static FleetMachine third;

  @BeforeAll
  static void three(SharedMachines machines) {
    cluster = machines.onEtcd();
    first = cluster.machine(1);
    second = cluster.machine(2);
    third = cluster.machine(3);
  }

  @Test
  void commandsWorkOnAnyMachineAndEachListsAll() {
    third.sleeper("anywhere.service").succeed("start", "anywhere.service");
    for (FleetMachine one : cluster.machines()) {
      one.awaitState("anywhere.service", "active running");
      assertThat(one.succeed("list-machines", "--no-legend").lines()).hasSize(3);
    }
    first.succeed("stop", "anywhere.service");
    assertThat(cluster.whereRunning("anywhere.service")).isEmpty();
  }

  @Test
  void statusAndJournalComeFromTheMachineThatRunsTheUnit() {
    first.unitFile(
        "speaks.service",
        "[Service]\nExecStart=/bin/sh -c 'echo I speak; exec sleep infinity'\n[X-Fleet]\nMachineMetadata=number=3\n");
    first.succeed("start", "speaks.service");
    // It is active before it has said anything.
    third.machine().awaitJournal("I speak");
    for (FleetMachine one : cluster.machines()) {
      assertThat(one.succeed("journal", "speaks.service")).contains("I speak");
      assertThat(one.succeed("status", "speaks.service")).contains("active (running)");
    }
  }

  @Test
  void metadataAndMachineIdSayWhere() {
    first.sleeper("by-number.service", "MachineMetadata=number=2");
    first.sleeper("by-id.service", "MachineID=" + third.machine().id());
    first.succeed("start", "by-number.service", "by-id.service");
    assertThat(cluster.whereRunning("by-number.service")).containsExactly(second);
    assertThat(cluster.whereRunning("by-id.service")).containsExactly(third);
  }

  @Test
  void aFollowerGoesWhereItsPeerIs() {
    first.sleeper("peer.service", "MachineMetadata=number=2");
    first.sleeper("follower.service", "MachineOf=peer.service");
    first.succeed("start", "peer.service", "follower.service");
    cluster.awaitRunning("follower.service", second);
  }

  @Test
  void aTimerAndASocketShareTheMachineOfWhatTheyStart() {
    first.sleeper("tick.service", "MachineMetadata=number=3");
    first.unitFile("tick.timer", "[Timer]\nOnActiveSec=0\nOnUnitActiveSec=1h\n");
    first.unitFile(
        "call.socket",
        "[Socket]\nListenFIFO=/run/fleet-call\n[X-Fleet]\nMachineMetadata=number=2\n");
    first.unitFile(
        "call.service",
        "[Service]\nExecStart=/bin/cat\nStandardInput=socket\nStandardOutput=null\n");

    String started = first.succeed("start", "tick.timer", "call.socket");

    assertThat(started)
        .contains("Unit tick.service is loaded too: tick.timer starts it")
        .contains("Unit call.service goes where call.socket has to be: MachineMetadata=number=2")
        .contains("Unit call.socket goes to the machine of call.service");
    cluster.awaitRunning("tick.timer", third);
    cluster.awaitRunning("tick.service", third);
    second.machine().succeed("sh", "-c", "echo hello >/run/fleet-call");
    cluster.awaitRunning("call.service", second);
  }

  @Test
  void thoseThatConflictKeepApartAndOneTooManyWaits() {
    first.sleeper("apart@.service", "Conflicts=apart@*.service");
    first.succeed("start", "apart@1", "apart@2", "apart@3");
    assertThat(cluster.spread("apart@*")).containsExactly(1, 1, 1);

    Result fourth = first.fleetctl("start", "--no-block", "apart@4");
    assertThat(fourth.ok()).isTrue();
    second.succeed("destroy", "apart@2");
    cluster.awaitRunning("apart@4.service");
    assertThat(cluster.spread("apart@*")).containsExactly(1, 1, 1);
  }

  @Test
  void aGlobalUnitRunsWhereverItsMetadataHold() {
    first.sleeper("everywhere.service", "Global=true");
    first.sleeper(
        "somewhere.service", "Global=true\nMachineMetadata=number=1\nMachineMetadata=number=3");
    first.succeed("start", "everywhere.service", "somewhere.service");
    cluster.await(
        "everywhere.service runs everywhere",
        () -> cluster.whereRunning("everywhere.service").size() == 3);
    cluster.await(
        "somewhere.service runs on two",
        () -> cluster.whereRunning("somewhere.service").equals(List.of(first, third)));
  }

  @Test
  void whatReplacesAnotherTakesItsMachineAndTheOtherGoesElsewhere() {
    first.sleeper("old.service").succeed("start", "old.service");
    FleetMachine was = cluster.awaitRunning("old.service");
    first.sleeper("new.service", "Replaces=old.service\nMachineID=" + was.machine().id());
    Result refused = first.fleetctl("start", "new.service");
    assertThat(refused.ok()).as("MachineID cannot be used with Replaces").isFalse();

    first.sleeper("new.service", "Replaces=old.service");
    first.succeed("start", "--no-block", "new.service");
    cluster.awaitRunning("new.service");
    FleetMachine now = cluster.awaitRunning("old.service");
    assertThat(cluster.whereRunning("new.service")).isNotEqualTo(List.of(now));
    assertThat(cluster.runs("old.service").overlaps()).isEmpty();
  }

  @Test
  void metadataChangedThroughTheApiMoveUnits() {
    first.sleeper("painted.service", "MachineMetadata=colour=red");
    first.succeed("start", "--no-block", "painted.service");
    paint(second, "red");
    cluster.awaitRunning("painted.service", second);

    paint(third, "red");
    String remove =
        "[{\"op\":\"remove\",\"path\":\"/%s/metadata/colour\"}]".formatted(second.machine().id());
    assertThat(first.api("PATCH", "/machines", remove)).isEqualTo("204");

    cluster.awaitRunning("painted.service", third);
    assertThat(cluster.runs("painted.service").overlaps()).isEmpty();
  }

  private static void paint(FleetMachine machine, String colour) {
    String add =
        "[{\"op\":\"add\",\"path\":\"/%s/metadata/colour\",\"value\":\"%s\"}]"
            .formatted(machine.machine().id(), colour);
    assertThat(first.api("PATCH", "/machines", add)).isEqualTo("204");
  }
}
