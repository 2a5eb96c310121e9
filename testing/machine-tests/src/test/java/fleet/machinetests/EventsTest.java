package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The events of a cluster, as any of its servers tells them. */
@ExtendWith(MachinesExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EventsTest {

  FleetCluster cluster;

  private final MachineTransport transport;

  EventsTest(MachineTransport transport) {
    this.transport = transport;
  }

  @BeforeAll
  void bootThree(Machines machines) {
    cluster = FleetCluster.boot(machines, 3, transport.setting(), "agent_ttl=12s");
  }

  @AfterEach
  void heal() {
    for (FleetMachine one : cluster.machines()) {
      if (one.machine().isUp()) {
        one.machine().run("systemctl", "stop", "told.service");
      }
    }
    cluster.heal();
    cluster.destroyAll();
  }

  /** Follows on a machine; what it prints is in {@link #told}. */
  static void follow(FleetMachine on, String... arguments) {
    on.machine()
        .succeed(
            "systemd-run",
            "--quiet",
            "--collect",
            "--unit=told.service",
            "--property=StandardOutput=truncate:/run/told",
            "sh",
            "-c",
            "exec /opt/fleet/bin/fleetctl events -f --full " + String.join(" ", arguments));
    // The first event is nobody's: whoever follows has begun once it has a connection.
    on.machine()
        .await(
            "it follows",
            () -> {
              on.api("PATCH", "/machines", mark(on, "begun"));
              return told(on).contains("begun");
            });
  }

  private static String mark(FleetMachine machine, String value) {
    return "[{\"op\":\"add\",\"path\":\"/%s/metadata/mark\",\"value\":\"%s\"}]"
        .formatted(machine.machine().id(), value);
  }

  private static String told(FleetMachine by) {
    return by.machine().read("/run/told");
  }

  static void awaitTold(FleetMachine by, String regex) {
    Pattern pattern = Pattern.compile(regex);
    by.machine().await(regex + " is told", () -> pattern.matcher(told(by)).find());
  }

  @Test
  void whatHappensIsToldWithWhoAskedForItAndWhy() {
    FleetMachine leader = cluster.leader();
    FleetMachine asked = cluster.others(leader).getFirst();
    FleetMachine lost = cluster.others(leader).getLast();
    follow(asked);
    asked.sleeper("e@.service").succeed("start", "e@1", "e@2", "e@3");
    FleetMachine home = cluster.machine(1);
    String moving =
        cluster.running("e@*").entrySet().stream()
            .filter(found -> found.getValue().contains(lost))
            .map(found -> found.getKey())
            .findFirst()
            .orElseThrow();
    awaitTold(asked, "e@1\\.service created by user root, desired state launched");
    awaitTold(asked, "e@1\\.service placed on [0-9a-f]{32}\\S*: least loaded");
    awaitTold(asked, "e@1\\.service on [0-9a-f]{32}\\S*: active \\(running\\)");
    asked.api("PATCH", "/machines", mark(home, "changed"));
    awaitTold(
        asked, "machine %s.*: metadata set by .*: mark=changed".formatted(home.machine().id()));

    lost.losePower();
    String gone = lost.machine().id();
    awaitTold(asked, "machine " + gone + ".* is gone: .*silent");
    awaitTold(
        asked,
        "%s moved from %s\\S* to \\S+: machine %s is lost"
            .formatted(Pattern.quote(moving), gone, gone));
    lost.machine().boot();
    awaitTold(asked, "machine " + gone + ".* joined");
    asked.succeed("destroy", "e@1");
    awaitTold(asked, "e@1\\.service destroyed by user root");
  }

  @Test
  void timesAndUnitsSelect() {
    FleetMachine asked = cluster.machine(2);
    asked.sleeper("t@.service").succeed("start", "t@1", "t@2");
    assertThat(asked.succeed("events", "--since=1m", "t@1"))
        .contains("t@1.service created")
        .doesNotContain("t@2.service");
    assertThat(asked.succeed("events", "--since=0s", "t@1")).isEmpty();
    assertThat(asked.fleetctl("events", "--since=tomorrow").exitCode()).isEqualTo(2);
    assertThat(asked.fleetctl("events", "--since=tomorrow").stderr())
        .startsWith("Error: invalid --since=\"tomorrow\"");
  }
}
