package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Rolling changes; what counts is what systemd runs. */
@Order(1)
@ExtendWith(MachinesExtension.class)
class RolloutOnMachinesTest {

  private static final String FROM_THE_THIRD_WHEN_ALLOWED =
      "until [ %i -lt 3 -o -e /run/may-be-ready ]; do sleep 0.1; done";

  private static final String NOT_RUNNING = "not running";

  private static FleetCluster cluster;
  private static FleetMachine first;

  @BeforeAll
  static void bootThree(Machines machines) {
    cluster = FleetCluster.boot(machines, 3, FleetMachine.PATIENT);
    first = cluster.machine(1);
  }

  @AfterEach
  void destroyAll() {
    cluster.destroyAll();
  }

  /** Four instances that are ready a moment after they were started. */
  private static void startFour(String name) {
    first.unitFile(name + "@.service", unit("old"));
    first.succeed("submit", name + "@");
    first.succeed("start", name + "@1", name + "@2", name + "@3", name + "@4");
  }

  private static String unit(String version) {
    return "[Service]\nType=notify\nNotifyAccess=all\nEnvironment=VERSION="
        + version
        + "\nExecStart=/bin/sh -c 'sleep 0.5; systemd-notify --ready; exec sleep infinity'\n";
  }

  private static List<String> versions(String name) {
    return IntStream.rangeClosed(1, 4).mapToObj(i -> version(name + "@" + i + ".service")).toList();
  }

  /** The number of the machine that each of the four runs on; 0 for none. */
  private static List<Integer> places(String name) {
    return IntStream.rangeClosed(1, 4).mapToObj(i -> place(name + "@" + i + ".service")).toList();
  }

  private static int place(String unit) {
    return IntStream.rangeClosed(1, cluster.machines().size())
        .filter(i -> !cluster.machine(i).pid(unit).equals("0"))
        .findFirst()
        .orElse(0);
  }

  /** The version that the process really has, on whichever machine it runs. */
  private static String version(String unit) {
    for (FleetMachine one : cluster.machines()) {
      String pid = one.pid(unit);
      if (!pid.equals("0")) {
        return version(one, pid);
      }
    }
    return NOT_RUNNING;
  }

  /** A process may end between being found and being looked at. */
  private static String version(FleetMachine on, String pid) {
    Result environment = on.machine().run("cat", "/proc/" + pid + "/environ");
    if (environment.exitCode() != 0) {
      return NOT_RUNNING;
    }
    return environment
        .stdout()
        .lines()
        .flatMap(line -> Stream.of(line.split("\0")))
        .filter(variable -> variable.startsWith("VERSION="))
        .findFirst()
        .orElse("");
  }

  @Test
  void allGetTheNewContentWhereTheyAreAndNeverMoreThanOneIsDown() {
    startFour("web");
    List<Integer> places = places("web");
    first.unitFile("web@.service", unit("new"));

    Result rolled = first.fleetctl("rollout", "--healthy=1", "web@");

    assertThat(rolled.toString()).contains("Rollout of web@.service is done.");
    assertThat(rolled.exitCode()).isZero();
    assertThat(versions("web")).containsOnly("VERSION=new");
    assertThat(places("web")).isEqualTo(places);
    assertThat(first.succeed("cat", "web@")).contains("VERSION=new");
    String events = first.succeed("events", "--since=5m");
    assertThat(events)
        .contains("rollout of web@.service began: 5 units", "rollout of web@.service is done");
    assertThat(mostDown(events)).isEqualTo(1);
    for (FleetMachine one : cluster.machines()) {
      assertThat(one.succeed("rollout", "--status")).contains("web@.service", "is done");
    }
    assertThat(first.succeed("rollout", "web@")).contains("nothing to do");
  }

  /** How many were at the same time between their change and their start. */
  private static int mostDown(String events) {
    Set<String> down = new HashSet<>();
    int most = 0;
    for (String line : events.lines().toList()) {
      for (int i = 1; i <= 4; i++) {
        String unit = "web@" + i + ".service";
        if (line.contains(unit + " replaced")) {
          down.add(unit);
        } else if (line.contains(unit + " on ") && line.contains(": active")) {
          down.remove(unit);
        }
      }
      most = Math.max(most, down.size());
    }
    return most;
  }

  @Test
  void whereTheNewContentFailsAllHaveWhatTheyHad() {
    startFour("bad");
    Map<String, String> before = cluster.processes("bad@*");
    first.unitFile("bad@.service", "[Service]\nExecStart=/bin/sh -c 'sleep 1; exit 7'\n");

    Result rolled = first.fleetctl("rollout", "--healthy=3", "bad@");

    assertThat(rolled.exitCode()).isEqualTo(1);
    assertThat(rolled.stderr())
        .contains("is being reverted: bad@1.service failed on machine", "was reverted");
    assertThat(versions("bad")).containsOnly("VERSION=old");
    Map<String, String> after = cluster.processes("bad@*");
    assertThat(after.keySet()).filteredOn(unit -> !unit.contains("bad@1")).isNotEmpty();
    before.forEach((unit, process) -> {
      if (!unit.contains("bad@1")) {
        assertThat(after).containsEntry(unit, process);
      }
    });
  }

  @Test
  void aGlobalUnitIsChangedOnOneMachineAfterTheOtherAndABrokenOneStopsAtTheFirst() {
    first.unitFile("mon.service", unit("old") + "[X-Fleet]\nGlobal=true\n");
    first.succeed("start", "mon.service");
    List<String> before = processes("mon.service");
    assertThat(before).hasSize(3);
    first.unitFile(
        "mon.service",
        """
        [Service]
        ExecStartPre=/bin/sh -c 'exit 7'
        ExecStart=/bin/sleep infinity
        [X-Fleet]
        Global=true
        """);

    Result broken = first.fleetctl("start", "--replace", "mon.service");

    assertThat(broken.exitCode()).isEqualTo(1);
    assertThat(broken.stderr()).contains("mon.service on machine", "failed", "was reverted");
    assertThat(cluster.spread("mon.service")).containsExactly(1, 1, 1);
    assertThat(processes("mon.service").stream().filter(before::contains))
        .as("machines that were not touched")
        .hasSize(2);

    first.unitFile("mon.service", unit("new") + "[X-Fleet]\nGlobal=true\n");
    cluster.leader().killFleetd();
    cluster.awaitMembers();
    Result rolled = first.fleetctl("rollout", "--healthy=1", "mon.service");
    assertThat(rolled.toString()).contains("Rollout of mon.service is done.");
    for (FleetMachine one : cluster.machines()) {
      assertThat(version(one, one.pid("mon.service"))).isEqualTo("VERSION=new");
    }
    List<Long> since =
        cluster.machines().stream()
            .sorted(Comparator.comparing(one -> one.machine().id()))
            .map(one -> one.activeSince("mon.service"))
            .toList();
    assertThat(since).as("in the order of their ids").isSorted();
  }

  @Test
  void theRestartOfAGlobalUnitStopsAtTheFirstMachineThatFails() {
    String name = "agent.service";
    first.unitFile(
        name,
        """
        [Service]
        ExecStartPre=/bin/sh -c '[ ! -e /run/fails ]'
        ExecStart=/bin/sleep infinity
        [X-Fleet]
        Global=true
        """);
    first.succeed("start", name);
    List<FleetMachine> inOrder =
        cluster.machines().stream()
            .sorted(Comparator.comparing(one -> one.machine().id()))
            .toList();
    List<String> before = processes(name);
    inOrder.getFirst().machine().succeed("touch", "/run/fails");

    Result failed = first.fleetctl("restart", name);

    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.stderr())
        .contains("Restart of agent.service is paused: agent.service on machine", "Not restarted");
    for (FleetMachine one : inOrder.subList(1, 3)) {
      assertThat(before).as("it was not touched").contains(one + " " + one.pid(name));
    }
    assertThat(first.succeed("operations")).containsPattern("restart-agent.service.*paused");
    assertThat(first.fleetctl("status").stdout())
        .containsPattern("restart-agent.service +- .* is paused: agent.service on machine");
  }

  /** The processes of a global unit, one for each machine. */
  private static List<String> processes(String unit) {
    return List.of(cluster.processes(unit).getOrDefault(unit, "").split(","));
  }

  @Test
  void itGoesOnUnderTheNextLeaderPausesAndGoesBack() {
    startFour("led");
    first.unitFile("led@.service", unit("new").replace("sleep 0.5", FROM_THE_THIRD_WHEN_ALLOWED));
    first.succeed("rollout", "--no-block", "--healthy=1", "led@");
    cluster.leader().killFleetd();
    cluster.await(
        "half are changed",
        () -> versions("led").stream().filter("VERSION=new"::equals).count() >= 2);
    assertThat(first.succeed("rollout", "--pause", "led@")).contains("is paused.");
    assertThat(first.succeed("rollout", "--status", "led@")).contains("it is paused");
    for (FleetMachine one : cluster.machines()) {
      assertThat(one.succeed("operations")).containsPattern("rollout-led@.service.*paused");
    }
    cluster.machines().forEach(one -> one.machine().succeed("touch", "/run/may-be-ready"));
    assertThat(first.succeed("rollout", "--back", "led@")).contains("is being reverted.");
    cluster.await(
        "all are back",
        () -> first.succeed("rollout", "--status", "led@").contains("was reverted"));
    assertThat(versions("led")).containsOnly("VERSION=old");
  }
}
