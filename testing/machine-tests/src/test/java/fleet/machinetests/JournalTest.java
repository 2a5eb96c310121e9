package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Journals of several units on several machines, as one, while things go wrong. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JournalTest {

  /** Counts from 1, four times a second, for as long as it runs. */
  private static final String COUNTER =
      """
      [Service]
      ExecStart=/bin/sh -c 'i=0; while :; do i=$((i+1)); echo count $i; sleep 0.25; done'
      [X-Fleet]
      Conflicts=tick@*
      """;

  private static final Pattern ENTRY =
      Pattern.compile("^(\\S+) (\\S+) (\\S+) sh\\[\\d+]: count (\\d+)$");

  private FleetCluster cluster;

  private final MachineTransport transport;

  JournalTest(MachineTransport transport) {
    this.transport = transport;
  }

  @BeforeAll
  void boot(Machines machines) {
    cluster = FleetCluster.boot(machines, 3, transport.setting(), FleetMachine.PATIENT);
  }

  @AfterEach
  void clean() {
    cluster.heal();
    cluster.machine(1).machine().run("systemctl", "kill", "-s", "KILL", "reader.service");
    cluster.machine(1).machine().run("systemctl", "reset-failed", "reader.service");
    cluster.destroyAll();
  }

  private FleetMachine reader() {
    return cluster.machine(1);
  }

  /** Runs in the background; its output and errors go to files, and its exit status as well. */
  private void read(String command) {
    reader().machine().write("/root/read", command + "; echo $? >/root/status\n");
    reader()
        .machine()
        .succeed(
            "sh",
            "-c",
            "rm -f /root/status; : >/root/out; : >/root/err;"
                + " systemd-run --unit=reader --collect --quiet sh -c '. /root/read' ");
  }

  private String out() {
    return reader().machine().read("/root/out");
  }

  private String errors() {
    return reader().machine().read("/root/err");
  }

  private void await(String what, java.util.function.BooleanSupplier condition) {
    reader().machine().await(what, condition);
  }

  private Map<String, List<Integer>> counts() {
    var counts = new HashMap<String, List<Integer>>();
    out()
        .lines()
        .map(ENTRY::matcher)
        .filter(Matcher::matches)
        .forEach(entry ->
            counts
                .computeIfAbsent(entry.group(3) + " on " + entry.group(2), _ -> new ArrayList<>())
                .add(Integer.parseInt(entry.group(4))));
    return counts;
  }

  /** Each process counts from 1: none is missing, none comes twice. */
  private void expectNoGaps() {
    counts()
        .forEach((unit, counted) -> {
          for (int i = 1; i < counted.size(); i++) {
            assertThat(counted.get(i)).as(unit + " " + counted).isEqualTo(counted.get(i - 1) + 1);
          }
        });
  }

  private void awaitMoreOf(String unit) {
    int before = counts().getOrDefault(unit, List.of()).size();
    await(unit + " is read on", () -> counts().getOrDefault(unit, List.of()).size() >= before + 4);
  }

  private String key(String unit) {
    return unit + " on " + cluster.awaitRunning(unit).machine().succeed("hostname").strip();
  }

  @Test
  void journalsComeInOrderOfTimeFromAllMachines() {
    reader().unitFile("tick@.service", COUNTER);
    reader().succeed("start", "tick@1.service", "tick@2.service", "tick@3.service");
    String table = "journal --since=1m --output=short-iso-precise";
    await(
        "each has counted to 5",
        () ->
            reader()
                    .succeed((table + " tick@*").split(" ", -1))
                    .lines()
                    .filter(line -> line.endsWith("count 5"))
                    .count()
                == 3);

    List<String> lines =
        cluster.machine(2).succeed((table + " tick@*").split(" ", -1)).lines().toList();

    assertThat(lines.stream().map(line -> line.split(" ", 2)[0]))
        .isSorted()
        .hasSizeGreaterThanOrEqualTo(15);
    assertThat(lines.stream().map(line -> line.split(" ", 4)[2]).distinct())
        .containsExactlyInAnyOrder("tick@1.service", "tick@2.service", "tick@3.service");
    assertThat(reader().fleetctl("journal", "tick@*", "nobody.service").exitCode()).isEqualTo(1);
  }

  @Test
  void machinesSelectEntriesByPriorityTextAndTime() {
    reader()
        .unitFile(
            "level@.service",
            """
            [Service]
            ExecStart=/bin/sh -c 'echo "<3>bad one"; echo "<6>good one"; echo "<3>bad two"; exec sleep infinity'
            [X-Fleet]
            Conflicts=level@*
            """);
    reader().succeed("start", "level@1.service", "level@2.service");
    await("both have written", () -> selected("-g", "bad two").size() == 2);

    assertThat(selected("-p", "err"))
        .containsExactlyInAnyOrder("bad one", "bad two", "bad one", "bad two");
    assertThat(selected("-g", "ONE|two", "-p", "err")).containsExactly("bad two", "bad two");
    assertThat(selected("-g", "one", "-n", "1")).containsExactly("good one", "good one");
    assertThat(selected("-b", "-g", "good")).containsExactly("good one", "good one");
    assertThat(selected("--until=10m")).isEmpty();
    assertThat(selected("--since=yesterday", "-g", "good")).hasSize(2);
  }

  /** The messages of the units themselves. */
  private List<String> selected(String... options) {
    List<String> command = new ArrayList<>(List.of("journal", "--output=cat", "level@*"));
    command.addAll(List.of(options));
    return reader()
        .succeed(command.toArray(String[]::new))
        .lines()
        .filter(line -> line.endsWith(" one") || line.endsWith(" two"))
        .toList();
  }

  @Test
  void aFollowedJournalOutlivesRestartsAndGoesWithItsUnits() {
    reader()
        .unitFile(
            "tick@.service", COUNTER + "MachineMetadata=number=2\nMachineMetadata=number=3\n");
    reader().succeed("start", "tick@1.service", "tick@2.service");
    read(
        "exec 2>/root/err >/root/out; /opt/fleet/bin/fleetctl journal -f --output=short-iso 'tick@*'");
    String first = key("tick@1.service");
    String second = key("tick@2.service");
    awaitMoreOf(first);
    awaitMoreOf(second);

    // The fleetd that was asked.
    reader().killFleetd();
    await(
        "its end is told", () -> errors().contains("the journal continues when it answers again"));
    awaitMoreOf(first);
    awaitMoreOf(second);
    expectNoGaps();

    // One that answers.
    FleetMachine answering = cluster.awaitRunning("tick@2.service");
    answering.killFleetd();
    await(
        "its end is told",
        () -> errors().contains("its journal continues here when it answers again"));
    awaitMoreOf(second);
    awaitMoreOf(first);
    expectNoGaps();

    // And its whole machine: Conflicts= leaves no other place until the first unit goes.
    reader().succeed("destroy", "tick@1.service");
    answering.losePower();
    await("the move is told", () -> errors().contains("has tick@2.service now"));
    awaitMoreOf(key("tick@2.service"));
    expectNoGaps();

    reader().machine().succeed("sh", "-c", "kill -INT $(pgrep -f 'fleet.fleetctl.Mai[n]')");
    await("it has ended", () -> reader().machine().run("test", "-s", "/root/status").ok());
    assertThat(reader().machine().read("/root/status").strip()).isEqualTo("130");
    assertThat(reader().machine().succeed("sh", "-c", "tail -c 1 /root/out | wc -l").strip())
        .as("whole lines at the end")
        .isEqualTo("1");
  }

  @Test
  void whatADestroyedUnitWritesLastIsRead() {
    reader()
        .unitFile(
            "parting@.service",
            """
            [Service]
            ExecStart=/bin/sh -c 'echo first words; exec sleep infinity'
            ExecStop=/bin/sh -c 'sleep 2; echo parting'
            ExecStopPost=/bin/sh -c 'echo last words'
            [X-Fleet]
            MachineMetadata=number=2
            """);
    reader().succeed("start", "parting@1.service");
    read(
        "exec 2>/root/err >/root/out; /opt/fleet/bin/fleetctl journal -f --output=cat 'parting@*'");
    await("it is followed", () -> out().contains("first words"));

    reader().succeed("destroy", "parting@1.service");

    await("its very last line is read", () -> out().contains("last words"));
    assertThat(out().lines().filter(line -> line.endsWith("words") || line.equals("parting")))
        .containsExactly("first words", "parting", "last words");
  }

  @Test
  void aReaderThatStandsStillCostsNobodyMemory() {
    reader()
        .unitFile(
            "flood.service",
            """
            [Service]
            Type=oneshot
            LogRateLimitIntervalSec=0
            ExecStart=/bin/sh -c 'seq -f "%%g of a flood that goes on and on, and on, and on, and on, and on" 200000'
            [X-Fleet]
            MachineMetadata=number=2
            """);
    FleetMachine flooded = cluster.machine(2);
    reader().sleeper("calm.service", "MachineMetadata=number=3").succeed("start", "calm.service");
    reader().succeed("load", "flood.service");
    // A pipe that nobody reads.
    read(
        "/opt/fleet/bin/fleetctl journal -f --lines=0 calm.service flood.service 2>/root/err | sleep infinity");
    await(
        "the machine is asked",
        () -> flooded.machine().run("pgrep", "-f", "journalctl.*flood.*--follow").ok());
    long before = anonymous(reader()) + anonymous(flooded);

    reader().succeed("start", "flood.service");

    String written =
        flooded
            .machine()
            .succeed("journalctl", "-q", "-u", "flood.service", "-o", "cat", "-n", "1");
    assertThat(written).contains("flood");
    // Nothing says when all that can flow has flowed.
    await("nothing flows any more", this::isStill);
    long after = anonymous(reader()) + anonymous(flooded);
    assertThat(after - before).as("KiB that both fleetds have grown by").isLessThan(60 << 10);
    long fleetctl =
        Long.parseLong(
            reader()
                .machine()
                .succeed(
                    "sh",
                    "-c",
                    "awk '/VmRSS/ { print $2 }' /proc/$(pgrep -f 'fleet.fleetctl.Mai[n]')/status"));
    assertThat(fleetctl).as("KiB of fleetctl").isLessThan(150 << 10);
  }

  private boolean isStill() {
    String counter = "cat /proc/$(pgrep -f 'fleet.fleetctl.Mai[n]')/io | grep rchar; sleep 1";
    String before = reader().machine().succeed("sh", "-c", counter);
    return reader().machine().succeed("sh", "-c", counter).equals(before);
  }

  private static long anonymous(FleetMachine machine) {
    return Long.parseLong(
        machine
            .machine()
            .succeed(
                "awk",
                "/RssAnon/ { print $2 }",
                "/proc/" + machine.pid("fleet.service") + "/status")
            .strip());
  }
}
