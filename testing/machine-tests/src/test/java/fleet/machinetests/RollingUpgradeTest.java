package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.BackgroundTasks;
import fleet.testkit.BootedMachine;
import fleet.testkit.EtcdSettings;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Three servers on etcd and a machine that joined them, with units and commands all the time,
 * change to another build one by one, as docs/install.md has it for the folder in {@code /opt}, and
 * back. {@code ./dev upgrade-from COMMIT} does it from an older commit.
 */
@ExtendWith(MachinesExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RollingUpgradeTest {

  private static final String OLDER = OlderFleet.version();
  private static final String NEWER = OlderFleet.newerVersion();

  private static final Pattern VERSION = Pattern.compile("(\\S+) on (\\d+ machines|[^\\s,]+)");

  private static final List<String> ONCE =
      List.of(
          "stand@1.service",
          "stand@2.service",
          "stand@3.service",
          "stand@4.service",
          "stand-called.socket",
          "stand-called.service",
          "stand-tick.timer");

  private static final String GLOBAL = "stand-everywhere.service";

  private static final Set<String> ALL_UNITS =
      Stream.concat(ONCE.stream(), Stream.of(GLOBAL, "tick.service")).collect(Collectors.toSet());

  private static Members members;
  private static FleetMachine server;
  private static Map<String, String> before;
  private static boolean upgraded;

  @BeforeAll
  static void makeAClusterOfTheOlderBuild(Machines machines) {
    FleetCluster servers =
        FleetCluster.prepare(
            machines, machines.etcd(EtcdSettings.plain()), 3, FleetMachine.PATIENT);
    server = servers.machine(1);
    var joined = new FleetMachine(machines.boot());
    BackgroundTasks.each(machines.all(), RollingUpgradeTest::installOlder);
    servers.install();
    members = JoinedCluster.of(servers.machines(), List.of(joined), FleetMachine.PATIENT).members();
    startUnits();
    before = members.processes("stand*");
  }

  /** Machines of tests find the newer one in {@code /opt/fleet}. */
  private static void installOlder(BootedMachine machine) {
    machine.succeed("mount", "--make-private", "/opt/fleet");
    machine.succeed("mkdir", "/opt/newer");
    machine.succeed("mount", "--bind", "/opt/fleet", "/opt/newer");
    OlderFleet.copyTo(machine, "/opt/older");
    put(machine, "/opt/older");
  }

  /** In its place at once, whatever is being started from there. */
  private static void put(BootedMachine machine, String build) {
    machine.succeed("mount", "--bind", build, "/opt/fleet");
    // Or the next one would also be mounted where this one comes from.
    machine.succeed("mount", "--make-private", "/opt/fleet");
  }

  /** The service is started by name beside its socket, which it needs to be there. */
  private static void startUnits() {
    server.sleeper("stand@.service", "Conflicts=stand@*");
    server.sleeper(GLOBAL, "Global=true");
    server.unitFile("stand-called.socket", "[Socket]\nListenFIFO=/run/called\n");
    server.unitFile(
        "stand-called.service",
        """
        [Unit]
        Requires=stand-called.socket
        [Service]
        ExecStart=/bin/cat
        StandardInput=socket
        StandardOutput=null
        [X-Fleet]
        MachineOf=stand-called.socket
        """);
    server.unitFile(
        "stand-tick.timer", "[Timer]\nOnActiveSec=0\nOnUnitActiveSec=1s\nUnit=tick.service\n");
    server.unitFile(
        "tick.service",
        "[Service]\nType=oneshot\nExecStart=/bin/true\n[X-Fleet]\nMachineOf=stand-tick.timer\n");
    server.succeed("load", "stand-called.socket", "tick.service", "stand-tick.timer");
    server.succeed(Stream.concat(Stream.of("start", GLOBAL), ONCE.stream()).toArray(String[]::new));
  }

  @Test
  @Order(1)
  void anUpgradeOfOneMachineAfterTheOtherDisturbsNothing() {
    FleetMachine joined = members.machines().getLast();
    changeAll(OLDER, NEWER, "/opt/newer", UpgradeLoad.begin(joined, "up-joined"));
    upgraded = true;
  }

  @Test
  @Order(2)
  void aDowngradeOfOneMachineAfterTheOtherDisturbsNothing() {
    assertThat(upgraded).as("all machines run the newer build").isTrue();
    FleetMachine second = members.machines().get(1);
    changeAll(NEWER, OLDER, "/opt/older", UpgradeLoad.begin(second, "down-second"));
  }

  private static void changeAll(String from, String to, String build, UpgradeLoad elsewhere) {
    List<UpgradeLoad> loads = List.of(UpgradeLoad.begin(server, "to-" + to), elsewhere);
    var left = new ArrayDeque<>(members.machines());
    while (!left.isEmpty()) {
      change(left.remove(), build);
      int changed = members.machines().size() - left.size();
      awaitVersions(left.isEmpty() ? Map.of(to, changed) : Map.of(from, left.size(), to, changed));
      loads.forEach(UpgradeLoad::awaitRound);
    }
    List<String> units = loads.stream().flatMap(load -> load.end().stream()).toList();
    System.out.printf("From %s to %s: %d rounds of commands%n", from, to, units.size());
    assertThatNothingWasDisturbed(units);
  }

  private static void change(FleetMachine one, String build) {
    server.succeed("maintenance", one.machine().name());
    put(one.machine(), build);
    one.machine().succeed("systemctl", "daemon-reload");
    one.machine().succeed("systemctl", "restart", "fleet");
    server.succeed("maintenance", "--end", one.machine().name());
  }

  private static void awaitVersions(Map<String, Integer> machines) {
    List<String> seen = new ArrayList<>();
    server
        .machine()
        .await(
            "the cluster is healthy, with " + machines,
            () ->
                seen.add(server.fleetctl("status").stdout())
                    && isHealthy(seen.getLast(), machines));
    System.out.println(seen.getLast());
  }

  private static boolean isHealthy(String status, Map<String, Integer> machines) {
    return status.startsWith("Cluster is healthy") && versions(status).equals(machines);
  }

  private static Map<String, Integer> versions(String status) {
    String line =
        status.lines().filter(one -> one.startsWith("  Versions ")).findFirst().orElse("");
    return VERSION
        .matcher(line)
        .results()
        .collect(Collectors.toMap(found -> found.group(1), found -> countOf(found.group(2))));
  }

  /** The only machine of a version is named. */
  private static int countOf(String words) {
    return words.endsWith(" machines") ? Integer.parseInt(words.split(" ", 2)[0]) : 1;
  }

  /** Units of rounds were started twice, by start and by restart. */
  private static void assertThatNothingWasDisturbed(List<String> ofRounds) {
    assertThat(members.processes("stand*")).isEqualTo(before);
    assertThat(members.runs(ONCE)).hasSize(ONCE.size()).allMatch(unit -> unit.runs().size() == 1);
    assertThat(members.runs(GLOBAL).runs()).hasSize(members.machines().size());
    assertThat(members.runs(ofRounds))
        .hasSize(ofRounds.size())
        .allMatch(unit -> unit.runs().size() == 2 && unit.overlaps().isEmpty());
    assertThat(server.succeed("list-unit-files", "--no-legend", "--fields=unit").lines())
        .containsExactlyInAnyOrderElementsOf(ALL_UNITS);
  }
}
