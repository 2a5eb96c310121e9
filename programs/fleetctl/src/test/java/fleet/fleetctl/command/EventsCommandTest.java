package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.Await;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EventsCommandTest {

  private static final String TIME = "'revision':7,'time':'2026-03-01T10:00:00.123456Z'";
  private static final String M = FakeDaemon.MACHINE;

  @TempDir Path directory;
  private FakeDaemon daemon;

  @BeforeEach
  void begin() throws IOException {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  private Ran run(String... arguments) {
    return new Terminal(directory, directory.resolve("fleet.sock")).run(arguments);
  }

  private void tell(String name, String rest) {
    String data = "{'name':'" + name + "'," + TIME + (rest.isEmpty() ? "" : ",") + rest + "}";
    daemon.tell(name, data.replace('\'', '"'));
  }

  /** The lines without their times, which depend on the zone. */
  private static String texts(Ran ran) {
    return ran.out()
        .lines()
        .peek(line -> assertThat(line).matches("2026-0[23]-\\d\\d \\d\\d:\\d\\d:00\\.123  .*"))
        .map(line -> line.substring(25))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void ofAMachineIsToldWhatComesGoesAndHappensThere() {
    tell("placed", "'context':{'unit':'here.service','machine':'" + M + "'}");
    tell("placed", "'context':{'unit':'there.service','machine':'m2'}");
    tell("moved", "'context':{'unit':'gone.service','machine':'m2','from':'" + M + "'}");
    tell("command", "'command':'destroyed','context':{'unit':'no.service'}");
    tell("gap", "");

    Ran ran = run("events", "--machine=node1");

    assertThat(ran.out()).contains("here.service placed", "gone.service moved").hasLineCount(3);
    assertThat(run("events", "--machine=node1", "--json").out()).hasLineCount(3);
    assertThat(run("events", "--machine=node2").code()).isEqualTo(1);
  }

  @Test
  void everyKindOfEventIsALine() {
    String web = "'context':{'unit':'web.service','machine':'" + M + "'}";
    tell("start", "");
    tell("leader", "'context':{'machine':'" + M + "'},'cause':{'why':'token 9'}");
    tell(
        "machine",
        "'machine':{'id':'m2','metadata':{'region':'eu'}},'context':{'machine':'m2'},"
            + "'cause':{'why':'joined'}");
    tell("machine", "'machine':{'id':'m2'},'context':{'machine':'m2'}");
    tell(
        "command",
        "'unit':{'name':'web.service','desiredState':'launched'},'command':'created',"
            + "'context':{'unit':'web.service'},'cause':{'by':'user root'}");
    tell("unit", "'unit':{'name':'web.service'},'context':{'unit':'web.service'}");
    tell(
        "unit",
        "'unit':{'name':'web.service','waiting':'no machine'},'context':{'unit':'web.service'}");
    tell("placed", web + ",'cause':{'why':'least loaded'}");
    tell(
        "state",
        "'state':{'name':'web.service','systemdActiveState':'active','systemdSubState':'running',"
            + "'result':'success'},"
            + web);
    tell(
        "state",
        "'state':{'name':'web.service','systemdActiveState':'failed','systemdSubState':'failed',"
            + "'result':'exit-code','problem':'it broke'},"
            + web);
    tell("leaving", web + ",'cause':{'why':'it was replaced'}");
    tell("state-gone", web);
    tell(
        "moved",
        "'context':{'unit':'web.service','machine':'m2','from':'m1'},"
            + "'cause':{'why':'machine m1 is lost; least loaded'}");
    tell("left", web + ",'cause':{'why':'its desired state is inactive'}");
    tell(
        "command",
        "'command':'desired','unit':{'desiredState':'loaded'},'context':{'unit':'web.service'},"
            + "'cause':{'by':'10.0.0.7'}");
    tell("command", "'command':'started-again','context':{'unit':'web.service'}");
    tell(
        "command",
        "'command':'destroyed','context':{'unit':'web.service'},'cause':{'by':'user ann'}");
    tell("unit-destroyed", "'unit':{'name':'web.service'}");
    tell(
        "command",
        "'command':'metadata','context':{'machine':'m2'},'cause':{'by':'user root','why':'a=b'}");
    tell(
        "command", "'command':'access-granted','cause':{'by':'user root','why':'viewer of alice'}");
    tell("command", "'command':'access-revoked','cause':{'by':'user root','why':'alice'}");
    tell(
        "operation",
        "'operation':'drain-m2','context':{'machine':'m2'},"
            + "'cause':{'by':'user root','why':'began: at most 1 down at a time'}");
    tell(
        "operation",
        "'operation':'rollout-web@.service','context':{'unit':'web@.service'},"
            + "'cause':{'why':'is done'}");
    tell("operation", "'operation':'rebalance','cause':{'why':'ended: moves made: 2 of 2'}");
    tell("machine-gone", "'context':{'machine':'m2'},'cause':{'why':'it is silent'}");
    tell("leader", "'cause':{'why':'no engine leads'}");
    tell("rescheduling-paused", "'cause':{'why':'3 of 5 machines vanished'}");
    tell("rescheduling-resumed", "'cause':{'why':'user root asked for it'}");
    tell("gap", "");
    tell("of-a-newer-fleet", "'context':{'unit':'web.service'},'cause':{'why':'because'}");

    Ran ran = run("events");

    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(texts(ran))
        .isEqualTo(
            """
            machine 113f16a7.../10.0.0.3 leads: token 9
            machine m2 joined: region=eu
            machine m2 changed
            web.service created by user root, desired state launched
            web.service waits: no machine
            web.service placed on 113f16a7.../10.0.0.3: least loaded
            web.service on 113f16a7.../10.0.0.3: active (running)
            web.service on 113f16a7.../10.0.0.3: failed (failed), result exit-code: it broke
            web.service leaves 113f16a7.../10.0.0.3: it was replaced
            web.service on 113f16a7.../10.0.0.3: gone
            web.service moved from m1 to m2: machine m1 is lost; least loaded
            web.service has left 113f16a7.../10.0.0.3: its desired state is inactive
            web.service: desired state loaded by 10.0.0.7
            web.service starts again, asked
            web.service destroyed by user ann
            machine m2: metadata set by user root: a=b
            viewer of alice, granted by user root
            grant of alice revoked by user root
            drain of machine m2 began: at most 1 down at a time, as user root asked
            rollout of web@.service is done
            rebalance ended: moves made: 2 of 2
            machine m2 is gone: it is silent
            no engine leads
            rescheduling is paused: 3 of 5 machines vanished
            rescheduling is resumed: user root asked for it
            -- earlier events are missing --
            of-a-newer-fleet web.service: because\
            """);
    assertThat(daemon.requests()).contains("GET /fleet/v1/events?follow=0&since=all");
  }

  /** The agent has got further, and systemd shows the same. */
  @Test
  void aStateThatLooksTheSameIsALineOnce() {
    String web = "'context':{'unit':'web.service','machine':'" + M + "'}";
    String active = "'state':{'name':'web.service','systemdActiveState':'active',";
    tell("state", active + "'invocationID':'1','performed':'loaded'}," + web);
    tell("state", active + "'invocationID':'1','performed':'launched'}," + web);
    tell("state", active + "'invocationID':'2','performed':'launched'}," + web);
    tell("state-gone", "'state':{'name':'web.service'}," + web);
    tell("state", active + "'invocationID':'2','performed':'launched'}," + web);

    assertThat(texts(run("events")).lines().map(line -> line.replaceAll(".*: ", "")))
        .containsExactly("active", "active", "gone", "active");
    assertThat(run("events", "--json").out().lines()).hasSize(5);
  }

  @Test
  void jsonIsPassedOnWithTheIdOfEachEvent() {
    tell("machine-gone", "'context':{'machine':'m2'},'later':[1]");
    assertThat(run("events", "--json", "--since=10m", "web", "db.socket").out())
        .isEqualTo(
            ("{'id':'e.1','name':'machine-gone'," + TIME + ",'context':{'machine':'m2'},")
                    .replace('\'', '"')
                + "\"later\":[1]}\n");
    assertThat(daemon.requests())
        .contains("GET /fleet/v1/events?follow=0&since=10m&unit=web.service&unit=db.socket");
  }

  @Test
  void onlyTheNewestAreTold() throws Exception {
    tell("one", "");
    tell("two", "");
    tell("three", "");

    assertThat(run("events", "--json", "-n", "2").out().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("\"two\""),
            line -> assertThat(line).contains("\"three\""));
    assertThat(run("events", "--json", "--lines=all").out().lines()).hasSize(3);
    assertThat(run("events", "--json", "--lines=0").out()).isEmpty();
    assertThat(run("events", "-n", "many").err()).contains("expected a number, or all");
  }

  @Test
  void whoFollowsTheNewestGoesOnBehindThem() throws Exception {
    tell("one", "");
    tell("two", "");
    var output = new ByteArrayOutputStream();
    Thread following =
        Thread.ofVirtual()
            .start(() ->
                new Terminal(directory, directory.resolve("fleet.sock"))
                    .run(output, "events", "-f", "--json", "-n", "1"));

    daemon.awaitRequests("events?follow=1", 1);
    awaitTold(output, "three");
    following.interrupt();
    following.join();

    assertThat(output.toString(StandardCharsets.UTF_8))
        .startsWith("{\"id\":\"e.2\",\"name\":\"two\"")
        .doesNotContain("\"one\"");
  }

  @Test
  void unitsThatDoNotExistAreToldWhereThereIsNothingElseToTell() throws Exception {
    daemon.add("web@1.service", "[Service]\nExecStart=/x\n", "inactive");
    tell("unit-destroyed", "'context':{'unit':'old@1.service'}");

    Ran ran = run("events", "web@1", "web@*", "old@1.service", "old@*", "typo", "t*");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .isEqualTo(
            """
            Unit typo.service does not exist, and no event of it is remembered
            No unit matches t*, and no event of it is remembered
            """);
    assertThat(daemon.requests())
        .contains(
            "GET /fleet/v1/events?follow=0&since=all&unit=web@%2A&unit=old@%2A&unit=t%2A"
                + "&unit=web@1.service&unit=old@1.service&unit=typo.service");
    assertThat(run("events", "web@*").code()).isZero();
  }

  @Test
  void whoFollowsUnitsThatDoNotExistIsToldAtOnce() throws Exception {
    var output = new ByteArrayOutputStream();
    var ran = new CompletableFuture<Ran>();
    Thread following =
        Thread.ofVirtual()
            .start(() ->
                ran.complete(
                    new Terminal(directory, directory.resolve("fleet.sock"))
                        .run(output, "events", "-f", "--json", "typo.service")));
    daemon.awaitRequests("events?follow=1", 1);
    awaitTold(output, "one");
    following.interrupt();
    assertThat(ran.get().err())
        .startsWith("Unit typo.service does not exist now; waiting for events of it\n");
  }

  @Test
  void aPatternThatIsNoneIsAWrongCall() {
    for (String command : new String[] {"events", "journal"}) {
      Ran ran = run(command, "web@[");
      assertThat(ran.code()).isEqualTo(2);
      assertThat(ran.err()).startsWith("Error: malformed pattern \"web@[\"\n");
    }
    assertThat(daemon.requests()).isEmpty();
  }

  @Test
  void aTimeThatIsNoneIsAWrongCall() {
    Ran ran = run("events", "--since=tomorrow");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).startsWith("Error: invalid --since=\"tomorrow\": expected how long ago");
  }

  @Test
  void aDaemonThatTellsNoEventsIsNamed() throws IOException {
    daemon.close();
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), false, FakeDaemon::obedient);
    Ran ran = run("events", "-f");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("is too old to tell events: upgrade it");
    daemon.stop();
    assertThat(run("events", "-f").code()).isEqualTo(1);
  }

  @Test
  void whoFollowsGoesOnWhereItWasWhenTheDaemonComesBack() throws Exception {
    var output = new ByteArrayOutputStream();
    Thread following =
        Thread.ofVirtual()
            .start(() ->
                new Terminal(directory, directory.resolve("fleet.sock"))
                    .run(output, "events", "-f", "--json"));
    daemon.awaitRequests("events?follow=1", 1);
    awaitTold(output, "one");
    daemon.restart();
    daemon.awaitRequests("events?follow=1", 2);
    awaitTold(output, "two");
    following.interrupt();
    following.join();
  }

  /** The daemon may take a moment to have its new reader among its followers. */
  private void awaitTold(ByteArrayOutputStream output, String name) throws Exception {
    Await.until(() -> {
      tell(name, "");
      return output.toString(StandardCharsets.UTF_8).contains(name);
    });
  }
}
