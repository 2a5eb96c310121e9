package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --require}, and where it is shown. */
final class RequireOptionTest extends ServedCommandTest {

  private static final String EU = "\"require\":[\"MachineMetadata=region=eu\",\"Memory=1G\"]";
  private static final String[] FLAGS = {
    "--require", "MachineMetadata=region=eu", "--require=Memory=1G"
  };

  private final List<String> asked = new CopyOnWriteArrayList<>();

  /** The state of web.service. */
  private volatile String desired = "inactive";

  private volatile boolean knows = true;
  private volatile boolean waiting;

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    String path = request.path();
    if (path.endsWith("/plan") || (request.method().equals("PUT") && !path.endsWith("/units"))) {
      asked.add(request.body());
      if (request.body().contains("Memory=2G")) {
        return FakeHttpServer.reply(
            out,
            409,
            "{\"error\":{\"code\":409,\"message\":\"web.service is launched with other extra"
                + " requirements (A=b): unload it first\"}}");
      }
      return FakeHttpServer.reply(out, 200, "{}");
    }
    if (path.endsWith("/status")) {
      return FakeHttpServer.reply(out, 200, "* web.service\n", "Fleet-Exit-Status: 0");
    }
    if (path.endsWith("/why")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"unit\":\"web.service\",\"standing\":\"placed\",\"machineID\":\"m1\",\"machines\":1,"
              + EU
              + "}");
    }
    if (path.endsWith("/state")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"states\":[{\"machineID\":\"m1\",\"name\":\"web.service\",\"systemdActiveState\":"
              + "\"active\"},{\"machineID\":\"m1\",\"name\":\"gone.service\"}]}");
    }
    if (path.endsWith("/units")) {
      return FakeHttpServer.reply(
          out, 200, "{\"units\":[{\"name\":\"plain.service\"}," + web() + "]}");
    }
    if (path.endsWith("/units/web.service")) {
      return FakeHttpServer.reply(out, 200, web());
    }
    if (path.contains("/units/")) {
      return FakeHttpServer.reply(
          out, 404, "{\"error\":{\"code\":404,\"message\":\"unit does not exist\"}}");
    }
    return FakeHttpServer.reply(out, 200, "{}");
  }

  private String web() {
    // As after the command: what it asks is looked at when it has been told.
    String state = asked.isEmpty() ? desired : "launched";
    return "{\"name\":\"web.service\",\"desiredState\":\"%s\",%s%s}"
        .formatted(
            state,
            waiting ? "\"waiting\":\"no machine fits\"" : "\"machineID\":\"m1\"",
            knows ? "," + EU : "");
  }

  private Ran ask(String command, String... more) {
    String[] arguments = new String[more.length + FLAGS.length + 1];
    arguments[0] = command;
    System.arraycopy(FLAGS, 0, arguments, 1, FLAGS.length);
    System.arraycopy(more, 0, arguments, FLAGS.length + 1, more.length);
    return terminal().run(arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "load"})
  void aUnitThatIsThereIsAskedForWithThem(String command) {
    assertThat(ask(command, "--no-block", "web").code()).isZero();
    assertThat(asked)
        .containsExactly(
            "{\"desiredState\":\"%s\",\"name\":\"web.service\",%s}"
                .formatted(command.equals("start") ? "launched" : "loaded", EU));
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "load"})
  void aNewUnitIsCreatedWithThem(String command) throws IOException {
    Files.writeString(directory.resolve("new.service"), "[Service]\nExecStart=/bin/true\n");
    assertThat(ask(command, "--no-block", "new.service").code()).isZero();
    assertThat(asked).singleElement().asString().contains("\"name\":\"new.service\"", EU);
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "load"})
  void whereTheUnitHasAPlaceTheServerJudges(String command) {
    desired = command.equals("start") ? "launched" : "loaded";
    assertThat(ask(command, "web").code()).isZero();
    assertThat(asked)
        .containsExactly(
            "{\"desiredState\":\"%s\",\"name\":\"web.service\",%s}".formatted(desired, EU));
    Ran refused = terminal().run(command, "--require", "Memory=2G", "web");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .contains("is launched with other extra requirements (A=b): unload it first");
  }

  @Test
  void anOlderFleetdThatPassesOverThemIsNamed() {
    knows = false;
    Ran ran = ask("start", "--no-block", "web");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("is too old for --require, and created web.service without it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Memory", "=1G", ""})
  void whatIsNoOptionIsAWrongCall(String require) {
    for (String command : List.of("start", "load")) {
      Ran ran = terminal().run(command, "--require", require, "web");
      assertThat(ran.code()).isEqualTo(2);
      assertThat(ran.err()).contains("expect OPTION=VALUE, such as MachineMetadata=region=eu");
    }
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"MachineID=nosuch", "MachineMetadata=number=1,2"})
  void whatIsDoubtfulOfThemIsSaid(String require) {
    Ran ran = terminal().run("start", "--no-block", "--require", require, "web");
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).startsWith("WARN --require: ").hasLineCount(1);
    assertThat(asked).hasSize(1);
    for (String command : List.of("start", "load")) {
      Ran strictly = terminal().run(command, "--strict", "--require", require, "web");
      assertThat(strictly.code()).isEqualTo(1);
      assertThat(strictly.err()).contains("--require: ").endsWith(" (--strict)\n");
    }
    assertThat(terminal().run("plan", "--strict", "--require", require, "start", "web").code())
        .isEqualTo(1);
    assertThat(asked).hasSize(1);
  }

  @Test
  void aPlanOfAStartTakesThem() {
    assertThat(ask("plan", "start", "web").code()).isZero();
    assertThat(asked).singleElement().asString().contains("\"name\":\"web.service\"," + EU);
    assertThat(ask("plan", "stop", "web").err()).contains("--require goes with start");
    assertThat(ask("plan", "drain", "m1").code()).isEqualTo(2);
  }

  @Test
  void theyAreShown() {
    desired = "launched";
    assertThat(terminal().run("status", "web").out())
        .isEqualTo(
            "* web.service\n     fleet: also requires: MachineMetadata=region=eu, Memory=1G\n");
    assertThat(terminal().run("why", "web").out())
        .contains("web.service is on m1\nAdditional requirements: ")
        .contains("MachineMetadata=region=eu, Memory=1G\n");
    assertThat(terminal().run("why", "--json", "web").out()).contains(EU);
    assertThat(terminal().run("list-unit-files", "--no-legend", "--fields=unit,require").out())
        .isEqualTo("plain.service\t-\nweb.service\tMachineMetadata=region=eu, Memory=1G\n");
    assertThat(terminal().run("list-units", "--no-legend", "--fields=unit,require").out())
        .isEqualTo("gone.service\t-\nweb.service\tMachineMetadata=region=eu, Memory=1G\n");
  }

  @Test
  void aUnitThatWaitsIsShownWithThem() {
    desired = "launched";
    waiting = true;
    Ran ran = terminal().run("status", "web");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualTo(
            """
            Unit web.service does not appear to be loaded: no machine fits
                 fleet: also requires: MachineMetadata=region=eu, Memory=1G
            """);
  }

  @Test
  void helpAndCompletionKnowThem() {
    for (String command : List.of("start", "load", "plan")) {
      assertThat(terminal().run(command, "--help").out()).contains("--require=OPTION=VALUE");
    }
    assertThat(terminal().run("help", "stop").out()).doesNotContain("--require");
    assertThat(terminal().run("__complete", "start", "--req").out()).startsWith("--require\t");
  }
}
