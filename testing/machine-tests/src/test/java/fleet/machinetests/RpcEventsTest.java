package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Machines speak to the leader, whose events all servers tell. */
class RpcEventsTest extends EventsTest {

  private static final Pattern ID = Pattern.compile("^id: (\\S+)$", Pattern.MULTILINE);

  RpcEventsTest() {
    super(MachineTransport.RPC);
  }

  /** Through the store it is this server's own state that tells, and there is no gap. */
  @Test
  void whoFollowsIsToldOfTheGapAndTheNextLeaderAndGoesOn() {
    FleetMachine leader = cluster.leader();
    FleetMachine asked = cluster.others(leader).getFirst();
    follow(asked);
    leader.killFleetdForGood();
    try {
      FleetMachine next = cluster.awaitLeaderBut(leader);
      awaitTold(asked, "-- earlier events are missing --");
      awaitTold(asked, "machine " + next.machine().id() + ".* leads");
      asked.sleeper("after.service").succeed("start", "after");
      awaitTold(asked, "after\\.service on .*: active \\(running\\)");
      assertThat(asked.machine().property("told.service", "NRestarts")).isEqualTo("0");
      assertThat(asked.machine().property("told.service", "ActiveState")).isEqualTo("active");
    } finally {
      leader.reviveFleetd();
    }
  }

  /** The leader's positions are told by all, so that a client may go on with another server. */
  @Test
  void aClientGoesOnWhereItWasWithAnotherServer() {
    List<FleetMachine> followers = cluster.others(cluster.leader());
    FleetMachine one = followers.getFirst();
    FleetMachine other = followers.getLast();
    one.sleeper("r@.service").succeed("start", "r@1");
    String before = events(one, "", "since=all");
    assertThat(before).contains("r@1.service");
    String last = lastId(before);
    one.succeed("start", "r@2");

    String after = events(other, last, "");
    assertThat(after).contains("r@2.service").doesNotContain("event: gap");
    assertThat(after).doesNotContain("r@1.service");
    assertThat(events(cluster.leader(), last, "")).contains("r@2.service");
    assertThat(events(other, lastId(after), "unit=r@1.service")).doesNotContain("event: gap");
    assertThat(events(other, "unheard-of.7", "")).contains("event: gap");
    assertThat(events(other, "not a position", "")).contains("event: gap");
  }

  private static String lastId(String events) {
    Matcher ids = ID.matcher(events);
    String last = "";
    while (ids.find()) {
      last = ids.group(1);
    }
    return last;
  }

  private static String events(FleetMachine of, String lastId, String query) {
    return of.get("/events?follow=0&" + query, "Last-Event-ID: " + lastId);
  }
}
