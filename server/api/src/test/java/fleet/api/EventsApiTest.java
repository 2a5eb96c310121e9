package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.core.machine.Machine;
import fleet.core.operation.OperationId;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class EventsApiTest {

  private final ApiUnderTest.Asked asked;
  private final ApiUnderTest api;

  EventsApiTest(ApiUnderTest.Asked asked) {
    this.asked = asked;
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private static RawConnection subscribe(ApiUnderTest api, String query, String... headers)
      throws IOException {
    RawConnection wire = api.connect();
    wire.ask("GET", "/fleet/v1/events" + query, "", headers);
    Reply head = wire.head();
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("content-type")).isEqualTo("text/event-stream");
    assertThat(head.header("connection")).isEqualTo("close");
    return wire;
  }

  private static String next(RawConnection wire) throws IOException {
    return new String(wire.chunk(), UTF_8);
  }

  private static String start(String id) {
    return "id: " + id + "\nevent: start\ndata: {\"name\":\"start\",\"revision\":0,\"time\":\"";
  }

  private static String gone(int sequence, String machine) {
    return ("id: e1.%d\nevent: machine-gone\ndata: {\"name\":\"machine-gone\",\"revision\":%d,"
            + "\"time\":\"2026-01-01T00:00:00Z\",\"machine\":{\"id\":\"%s\"},\"reason\":\"left\","
            + "\"context\":{\"machine\":\"%s\"},\"cause\":{\"why\":\"left\"}}\n\n")
        .formatted(sequence, sequence + 9, machine, machine);
  }

  private void loseMachine(String machine) {
    api.cluster.events.happen(
        new Event.Body(Kind.MACHINE_GONE, Subject.of(machine), Cause.of("left")));
  }

  @Test
  void theFirstThingIsThePositionAndThenWhateverHappens() throws IOException {
    loseMachine("m0");
    try (RawConnection wire = subscribe(api, "")) {
      assertThat(next(wire)).startsWith(start("e1.1")).endsWith("\"}\n\n");
      loseMachine("m1");
      assertThat(next(wire)).isEqualTo(gone(2, "m1"));
    }
  }

  @Test
  void everyKindOfEventHasItsPayload() throws IOException {
    try (RawConnection wire = subscribe(api, "")) {
      next(wire);
      api.cluster.events.happen(Event.Body.of(FakeUnits.view("a.service", DesiredState.LOADED)));
      assertThat(next(wire))
          .startsWith("id: e1.1\nevent: unit\ndata: {\"name\":\"unit\",\"revision\":10,")
          .contains("\"unit\":{\"currentState\":\"inactive\",\"desiredState\":\"loaded\"");
      api.cluster.events.happen(
          new Event.Body(Kind.UNIT_DESTROYED, Subject.of(UnitName.of("a.service")), Cause.NONE));
      assertThat(next(wire))
          .contains("event: unit-destroyed\n", "\"unit\":{\"name\":\"a.service\"}");
      api.cluster.events.happen(Event.Body.of(FakeUnits.state("a.service", "m1")));
      assertThat(next(wire)).contains("event: state\n", "\"state\":{\"hash\":\"h1\"");
      api.cluster.events.happen(
          new Event.Body(Kind.STATE_GONE, Subject.of(UnitName.of("a.service"), "m1"), Cause.NONE));
      assertThat(next(wire))
          .contains(
              "event: state-gone\n",
              "\"state\":{\"machineID\":\"m1\",\"name\":\"a.service\"}",
              "\"context\":{\"unit\":\"a.service\",\"machine\":\"m1\"}}");
      api.cluster.events.happen(
          Event.Body.of(new Machine("m1", "b", "", Map.of("k", "v"), "2.0.0"), true));
      assertThat(next(wire))
          .contains(
              "event: machine\n",
              "\"machine\":{\"id\":\"m1\",\"metadata\":{\"k\":\"v\"},\"version\":\"2.0.0\"}",
              "\"cause\":{\"why\":\"joined\"}}");
      api.cluster.events.happen(Event.Body.GAP);
      assertThat(next(wire)).startsWith("id: e1.6\nevent: gap\ndata: {\"name\":\"gap\"");
    }
  }

  @Test
  void whoNamesEventsHearsOnlyThoseAndUnitsMayComeWithoutTheirOptions() throws IOException {
    try (RawConnection wire = subscribe(api, "?event=unit&event=state-gone&options=0")) {
      next(wire);
      loseMachine("m1");
      api.cluster.events.happen(Event.Body.of(FakeUnits.state("a.service", "m1")));
      api.cluster.events.happen(Event.Body.of(FakeUnits.view("a.service", DesiredState.LOADED)));
      assertThat(next(wire))
          .startsWith("id: e1.3\nevent: unit\n")
          .contains("\"name\":\"a.service\"")
          .doesNotContain("options");
      api.cluster.events.happen(Event.Body.GAP);
      assertThat(next(wire)).startsWith("id: e1.4\nevent: gap\n");
    }
  }

  private void happensAndIsTold(RawConnection wire, Event.Body body, String name, String rest)
      throws IOException {
    api.cluster.events.happen(body);
    assertThat(next(wire))
        .contains("event: " + name + "\n", "\"name\":\"" + name + "\"")
        .endsWith(",\"time\":\"2026-01-01T00:00:00Z\"," + rest.replace('\'', '"') + "}\n\n");
  }

  private static Event.Body byRoot(Event.Command command, String details) {
    return Event.Body.of(command, Subject.NONE, new Cause("user root", details));
  }

  @Test
  void commandsTellWhoAskedAndPlacesWhy() throws IOException {
    UnitName web = UnitName.of("web.service");
    try (RawConnection wire = subscribe(api, "")) {
      next(wire);
      happensAndIsTold(
          wire,
          Event.Body.of(
              Event.Command.CREATED, web, Optional.of(DesiredState.LAUNCHED), "user root"),
          "command",
          "'unit':{'desiredState':'launched','name':'web.service'},'command':'created',"
              + "'context':{'unit':'web.service'},'cause':{'by':'user root'}");
      happensAndIsTold(
          wire,
          Event.Body.of(Event.Command.METADATA, Subject.of("m1"), new Cause("10.0.0.7", "a=b")),
          "command",
          "'machine':{'id':'m1'},'command':'metadata','context':{'machine':'m1'},"
              + "'cause':{'by':'10.0.0.7','why':'a=b'}");
      happensAndIsTold(
          wire,
          byRoot(Event.Command.CONFIG, "scheduler.strategy=binpack"),
          "command",
          "'command':'config','cause':{'by':'user root','why':'scheduler.strategy=binpack'}");
      happensAndIsTold(
          wire,
          byRoot(Event.Command.TOKEN_CREATED, "5a1f for role agent"),
          "command",
          "'command':'token-created','cause':{'by':'user root','why':'5a1f for role agent'}");
      happensAndIsTold(
          wire,
          byRoot(Event.Command.CA_ROTATION, "a signs"),
          "command",
          "'command':'ca-rotation','cause':{'by':'user root','why':'a signs'}");
      happensAndIsTold(
          wire,
          byRoot(Event.Command.TOKEN_REVOKED, "5a1f"),
          "command",
          "'command':'token-revoked','cause':{'by':'user root','why':'5a1f'}");
      happensAndIsTold(
          wire,
          byRoot(Event.Command.ACCESS_GRANTED, "viewer of alice"),
          "command",
          "'command':'access-granted','cause':{'by':'user root','why':'viewer of alice'}");
      happensAndIsTold(
          wire,
          new Event.Body(Kind.PLACED, Subject.of(web, "m1"), Cause.of("least loaded")),
          "placed",
          "'unit':{'name':'web.service'},'machine':{'id':'m1'},'reason':'least loaded',"
              + "'context':{'unit':'web.service','machine':'m1'},'cause':{'why':'least loaded'}");
      happensAndIsTold(
          wire,
          new Event.Body(
              Kind.MOVED,
              new Subject(Optional.of(web), "m2", "m1"),
              Cause.of("machine m1 is lost")),
          "moved",
          "'unit':{'name':'web.service'},'machine':{'id':'m2'},'reason':'machine m1 is lost',"
              + "'context':{'unit':'web.service','machine':'m2','from':'m1'},"
              + "'cause':{'why':'machine m1 is lost'}");
      happensAndIsTold(
          wire,
          new Event.Body(Kind.LEADER, Subject.of("m2"), Cause.of("token 7")),
          "leader",
          "'machine':{'id':'m2'},'reason':'token 7','context':{'machine':'m2'},"
              + "'cause':{'why':'token 7'}");
      happensAndIsTold(
          wire,
          new Event.Body(Kind.LEADER, Subject.NONE, Cause.of("no engine leads")),
          "leader",
          "'reason':'no engine leads','cause':{'why':'no engine leads'}");
      happensAndIsTold(
          wire,
          Event.Body.of(OperationId.rollout(web), new Cause("user root", "is paused")),
          "operation",
          "'unit':{'name':'web.service'},'reason':'is paused',"
              + "'operation':'rollout-web.service','context':{'unit':'web.service'},"
              + "'cause':{'by':'user root','why':'is paused'}");
      happensAndIsTold(
          wire,
          new Event.Body(
              Kind.RESCHEDULING_RESUMED, Subject.NONE, new Cause("user root", "it was asked for")),
          "rescheduling-resumed",
          "'reason':'it was asked for','cause':{'by':'user root','why':'it was asked for'}");
    }
  }

  @Test
  void aStreamThatDoesNotFollowEndsWithWhatThereIs() throws IOException {
    loseMachine("m1");
    loseMachine("m2");
    try (RawConnection wire = subscribe(api, "?since=all&follow=0&unit=a.service");
        RawConnection all = subscribe(api, "?since=2025-12-31T23:00:00-01:00&follow=false");
        RawConnection none = subscribe(api, "?since=1d&follow=0")) {
      assertThat(next(wire)).startsWith(start("e1.0"));
      assertThat(wire.chunk()).isEmpty();
      assertThat(next(all)).startsWith(start("e1.0"));
      assertThat(next(all)).isEqualTo(gone(1, "m1") + gone(2, "m2"));
      assertThat(all.chunk()).isEmpty();
      assertThat(next(none)).startsWith(start("e1.2"));
      assertThat(none.chunk()).isEmpty();
    }
  }

  /** A message between machines has a largest size, and may break off after any. */
  @Test
  void manyEventsComeInPiecesOfWholeOnes() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int i = 1; i <= 1_000; i++) {
      loseMachine("m" + i);
      all.append(gone(i, "m" + i));
    }
    try (RawConnection wire = subscribe(api, "?since=all&follow=0")) {
      assertThat(next(wire)).startsWith(start("e1.0"));
      List<String> pieces = new ArrayList<>();
      for (String piece = next(wire); !piece.isEmpty(); piece = next(wire)) {
        pieces.add(piece);
      }
      assertThat(pieces).hasSizeGreaterThan(2).allMatch(piece -> piece.endsWith("\n\n"));
      assertThat(String.join("", pieces)).isEqualTo(all.toString());
    }
  }

  @Test
  void aTimeThatIsNoneIsRefused() throws IOException {
    for (String since : List.of("yesterday", "5", "5m5", "2026-03-01")) {
      assertThat(api.get("/fleet/v1/events?since=" + since).error())
          .startsWith("400 invalid since \"" + since + "\": expected a time such as ");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "event=unit&event=nonsense|400 invalid event \"nonsense\": expected one of command, gap,"
            + " leader, leaving, left, machine, machine-gone, moved, operation, placed,"
            + " rescheduling-paused, rescheduling-resumed, state, state-gone, unit,"
            + " unit-destroyed",
        "follow=banana|400 invalid follow \"banana\": expected 1 or 0",
        "options=none|400 invalid options \"none\": expected 1 or 0",
        "unit=web|400 invalid unit \"web\": unit name must contain",
        "unit=web%5B|400 invalid unit \"web[\": malformed pattern",
      })
  void whatIsNotUnderstoodIsRefused(String query, String expected) throws IOException {
    assertThat(api.get("/fleet/v1/events?" + query).error()).startsWith(expected);
  }

  @Test
  void aClientGoesOnWhereItLeft() throws IOException {
    for (int i = 1; i <= 3; i++) {
      loseMachine("m" + i);
    }
    try (RawConnection byHeader = subscribe(api, "?after=e1.3", "Last-Event-ID: e1.1");
        RawConnection byQuery = subscribe(api, "?after=e1.2")) {
      assertThat(next(byHeader)).startsWith(start("e1.1")).doesNotContain("gap");
      assertThat(next(byHeader)).isEqualTo(gone(2, "m2") + gone(3, "m3"));
      assertThat(next(byQuery)).startsWith(start("e1.2"));
      assertThat(next(byQuery)).isEqualTo(gone(3, "m3"));
    }
  }

  @Test
  void aPositionOfAnotherEpochOrOfNoneGivesOneGapFirst() throws IOException {
    for (String after : new String[] {"e0.7", "what"}) {
      try (RawConnection wire = subscribe(api, "?after=" + after)) {
        assertThat(next(wire)).startsWith("id: e1.").contains("event: start\n", "event: gap\n");
        // The cluster may tell the same by itself: once is enough.
        api.cluster.events.happen(Event.Body.GAP);
        loseMachine("m1");
        assertThat(next(wire)).doesNotContain("gap").contains("m1");
      }
    }
  }

  @Test
  void aFilterPassesItsUnitsAndGapsAlone() throws IOException {
    try (RawConnection wire = subscribe(api, "?unit=a.service&unit=b*")) {
      next(wire);
      loseMachine("m1");
      api.cluster.events.happen(
          new Event.Body(Kind.UNIT_DESTROYED, Subject.of(UnitName.of("c.service")), Cause.NONE));
      api.cluster.events.happen(
          new Event.Body(Kind.STATE_GONE, Subject.of(UnitName.of("b.service"), "m1"), Cause.NONE));
      assertThat(next(wire)).startsWith("id: e1.3\nevent: state-gone\n");
      api.cluster.events.happen(
          new Event.Body(Kind.UNIT_DESTROYED, Subject.of(UnitName.of("a.service")), Cause.NONE));
      assertThat(next(wire)).startsWith("id: e1.4\nevent: unit-destroyed\n");
      api.cluster.events.happen(Event.Body.GAP);
      assertThat(next(wire)).contains("event: gap\n");
    }
  }

  @Test
  void silenceIsBrokenByCommentsThatCarryThePositionPassed() throws IOException {
    try (ApiUnderTest quick = new ApiUnderTest(asked, Duration.ofMillis(20));
        RawConnection wire = subscribe(quick, "?unit=a.service")) {
      next(wire);
      assertThat(next(wire)).isEqualTo(":\n\n");
      quick.cluster.events.happen(
          new Event.Body(Kind.MACHINE_GONE, Subject.of("m1"), Cause.of("left")));
      String beat = next(wire);
      while (beat.equals(":\n\n")) {
        beat = next(wire);
      }
      assertThat(beat).isEqualTo(":\nid: e1.1\n\n");
    }
  }

  @Test
  void aClientThatGoesIsForgottenAtOnce() throws Exception {
    try (RawConnection wire = subscribe(api, "")) {
      next(wire);
    }
    assertThat(api.cluster.events.closedStreams.take()).isNotNull();
  }

  @Test
  void aClientThatDoesNotReadHoldsUpNobody() throws Exception {
    try (RawConnection slow = subscribe(api, "")) {
      try (RawConnection quick = subscribe(api, "")) {
        next(quick);
        String much = "x".repeat(100_000);
        for (int i = 1; i <= 40; i++) {
          api.cluster.events.happen(
              new Event.Body(Kind.MACHINE_GONE, Subject.of("m"), Cause.of(much)));
        }
        StringBuilder seen = new StringBuilder();
        while (!seen.toString().contains("id: e1.40\n")) {
          seen.append(next(quick));
        }
        assertThat(api.get("/fleet/v1/units").status()).isEqualTo(200);
      }
      assertThat(next(slow)).startsWith(start("e1.0"));
    }
    for (int i = 0; i < 2; i++) {
      assertThat(api.cluster.events.closedStreams.take()).isNotNull();
    }
  }

  @Test
  void aStoppingServerEndsStreamsInOrderAndAtOnce() throws Exception {
    try (RawConnection wire = subscribe(api, "");
        RawConnection idle = api.connect()) {
      next(wire);
      idle.get("/fleet/v1/units");
      api.stop();
      assertThat(wire.chunk()).isEmpty();
    }
  }
}
