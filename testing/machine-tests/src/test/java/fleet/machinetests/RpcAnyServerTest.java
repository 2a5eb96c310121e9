package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Result;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Machines speak to the leader. */
class RpcAnyServerTest extends AnyServerTest {

  RpcAnyServerTest() {
    super(MachineTransport.RPC);
  }

  private FleetMachine follower() {
    return cluster.others(cluster.leader()).getFirst();
  }

  @Test
  void everyCommandIsServedByOneThatDoesNotLead() {
    FleetMachine asked = follower();
    asked.sleeper("c@.service");

    asked.succeed("submit", "c@.service");
    asked.succeed("load", "c@1");
    asked.succeed("start", "c@1", "c@2", "c@3");
    cluster.machines().forEach(one -> one.machine().syncJournal());
    assertThat(asked.succeed("list-units", "--no-legend", "--fields=unit,active,sub").lines())
        .hasSize(3)
        .allMatch(line -> line.endsWith("active\trunning"));
    assertThat(asked.succeed("list-unit-files", "--no-legend").lines()).hasSize(4);
    assertThat(asked.succeed("list-machines", "--no-legend").lines()).hasSize(3);
    assertThat(asked.succeed("cat", "c@1")).contains("sleep infinity");
    for (String unit : List.of("c@1", "c@2", "c@3")) {
      assertThat(asked.succeed("status", unit)).contains("Active: active (running)");
      assertThat(asked.succeed("journal", unit)).contains("Started");
    }
    assertThat(asked.succeed("journal", "c@*").lines().filter(line -> line.contains("Started")))
        .hasSize(3);
    assertThat(asked.succeed("top", "--once", "--no-legend").lines()).hasSize(3);
    asked.succeed("stop", "c@2");
    asked.awaitState("c@2.service", "inactive dead");
    asked.succeed("restart", "c@1");
    asked.succeed("unload", "c@3");
    assertThat(asked.succeed("resume")).contains("is not paused");
    assertThat(asked.succeed("events")).contains("c@1.service created by user root");
    assertThat(asked.succeed("token")).startsWith("FLEET-1-");
    assertThat(asked.succeed("token", "list", "--no-legend").lines()).hasSize(1);
    asked.succeed("destroy", "c@1", "c@2", "c@3", "c@.service");
    assertThat(cluster.running("c@*")).isEmpty();
  }

  @Test
  void everyRequestOfTheApiIsAnsweredTheSameByAll() {
    FleetMachine asked = follower();
    String options =
        "\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\",\"value\":\"/bin/sleep 900\"}]";
    assertThat(
            asked.api("PUT", "/units/r.service", "{\"desiredState\":\"launched\"," + options + "}"))
        .isEqualTo("201");
    FleetMachine on = cluster.awaitRunning("r.service");
    asked.awaitState("r.service", "active running");
    String machine = on.machine().id();
    assertThat(
            asked.api(
                "PATCH",
                "/machines",
                "[{\"op\":\"add\",\"path\":\"/%s/metadata/x\",\"value\":\"y\"}]"
                    .formatted(machine)))
        .isEqualTo("204");

    for (String path :
        List.of(
            "/units",
            "/units/r.service",
            "/units?unit=r.service",
            "/state",
            "/state/r.service",
            "/state?machineID=" + machine,
            "/machines",
            "/rescheduling",
            "/tokens",
            "/discovery")) {
      String leaders = cluster.leader().get(path);
      assertThat(leaders).as(path).isNotEmpty();
      for (FleetMachine one : cluster.machines()) {
        assertThat(one.get(path)).as("%s of %s", path, one).isEqualTo(leaders);
      }
    }
    assertThat(asked.get("/machines")).contains("\"x\":\"y\"");
    assertThat(asked.get("/units/r.service/status")).contains("Active: active");
    assertThat(asked.get("/units/r.service/journal")).contains("Started");
    assertThat(asked.get("/journal?unit=r.service")).contains("FLEET_MACHINE");
    assertThat(asked.get("/usage").lines().filter(line -> line.contains("cpuMillis"))).hasSize(3);
    assertThat(asked.get("/events?follow=0&since=all")).contains("event: placed");

    assertThat(asked.api("POST", "/units/r.service/start", "")).isEqualTo("200");
    assertThat(asked.api("POST", "/units/r.service/restart", "")).isEqualTo("202");
    assertThat(asked.api("POST", "/rescheduling/resume", "")).isEqualTo("409");
    assertThat(asked.api("PUT", "/units/r.service", "{\"desiredState\":\"inactive\"}"))
        .isEqualTo("204");
    assertThat(asked.api("DELETE", "/units/r.service", "")).isEqualTo("204");
    assertThat(asked.api("DELETE", "/units/r.service", "")).isEqualTo("404");
    assertThat(asked.api("GET", "/units/r.service", "")).isEqualTo("404");
  }

  /** As many as need several pages. */
  @Test
  void longListsAreComplete() {
    FleetMachine asked = follower();
    asked.sleeper("l@.service").succeed("submit", "l@.service");
    asked.succeed(
        Stream.concat(Stream.of("submit"), IntStream.range(0, 250).mapToObj(i -> "l@" + i))
            .toArray(String[]::new));

    for (FleetMachine one : cluster.machines()) {
      assertThat(one.succeed("list-unit-files", "--no-legend").lines()).hasSize(251);
    }
  }

  @Test
  void withoutALeaderItIsSaidThatThereIsNone() {
    FleetMachine leader = cluster.leader();
    List<FleetMachine> others = cluster.others(leader);
    for (FleetMachine one : others) {
      one.set("disable_engine", "true").machine().succeed("systemctl", "restart", "fleet.service");
    }
    leader.killFleetdForGood();
    try {
      Result list = others.getFirst().fleetctl("list-units");
      assertThat(list.exitCode()).isEqualTo(1);
      assertThat(list.stdout()).isEmpty();
      assertThat(list.stderr())
          .contains("HTTP 503")
          .containsPattern("no server is known to lead|leader");
      assertThat(list.stderr().lines()).as(list.stderr()).hasSize(1);
    } finally {
      leader.reviveFleetd();
      for (FleetMachine one : others) {
        one.set("disable_engine", "false")
            .machine()
            .succeed("systemctl", "restart", "fleet.service");
      }
    }
    cluster.awaitMembers();
  }
}
