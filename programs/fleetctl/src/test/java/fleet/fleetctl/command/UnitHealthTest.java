package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first lines of {@code status} and {@code why}. */
final class UnitHealthTest extends ServedCommandTest {

  private String states = "";
  private String journal = "";
  private final List<String> paths = new CopyOnWriteArrayList<>();

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    String path = request.path();
    paths.add(path);
    if (path.endsWith("/machines")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"machines\":[{\"id\":\"113f16a7b2c34d5e\",\"primaryIP\":\"10.0.0.3\","
              + "\"hostname\":\"node1\"}]}");
    }
    if (path.endsWith("/state")) {
      return FakeHttpServer.reply(out, 200, "{\"states\":[" + states + "]}");
    }
    if (path.endsWith("/journal")) {
      return FakeHttpServer.reply(out, 200, journal);
    }
    if (path.endsWith("/status")) {
      return FakeHttpServer.reply(out, 200, "what systemctl says\n");
    }
    if (path.endsWith("/why")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"unit\":\"app.service\",\"standing\":\"placed\",\"machineID\":\"113f16a7b2c34d5e\","
              + "\"reason\":\"least loaded\"}");
    }
    return FakeHttpServer.reply(
        out, 200, "{\"name\":\"app.service\",\"machineID\":\"113f16a7b2c34d5e\"}");
  }

  private static String state(String machine, String active, String sub, long age, String more) {
    return """
    {"name":"app.service","machineID":"%s","systemdActiveState":"%s","systemdSubState":"%s",\
    "since":"%s"%s}\
    """
        .formatted(machine, active, sub, Instant.now().minusSeconds(age), more);
  }

  private void failed(String more) {
    states = state("113f16a7b2c34d5e", "failed", "failed", 200, more);
    journal =
        """
        -- Boot 1 --
        Nov 25 20:28:20 node1 app[123]: starting
        Nov 25 20:28:22 node1 app[123]: bind: address in use
        Nov 25 20:28:22 node1 systemd[1]: app.service: Failed with result 'exit-code'.
        """;
  }

  @ParameterizedTest
  @CsvSource({
    "'\"result\":\"exit-code\",\"exitCode\":1', 'exit code 1'",
    "'\"result\":\"signal\",\"exitSignal\":9', 'killed by SIGKILL'",
    "'\"result\":\"timeout\",\"restarts\":3', 'timed out, restarted 3 times by systemd'",
    "'\"result\":\"timeout\",\"problem\":\"no file\"', 'timed out; no file'"
  })
  void whyBeginsWithTheReasonOfAFailureAndItsLastWords(String fields, String words) {
    failed("," + fields);
    assertThat(run("why", "app").out())
        .startsWith(
            "app.service on node1: failed 3m ago, %s: \"bind: address in use\"\n".formatted(words)
                + "app.service is on node1: least loaded\n");
  }

  @Test
  void withoutWordsOfItsOwnSystemdsAreNotRepeated() {
    failed(",\"result\":\"timeout\"");
    journal = "Nov 25 20:28:22 node1 systemd[1]: app.service: start operation timed out.\n";
    assertThat(run("why", "app").out())
        .startsWith("app.service on node1: failed 3m ago, timed out\n");
  }

  @Test
  void machinesThatAreWellShareALine() {
    states =
        state("113f16a7b2c34d5e", "active", "running", 7300, "")
            + ","
            + state("2222aaaab2c34d5e", "active", "running", 7300, "")
            + ","
            + state("3333aaaab2c34d5e", "activating", "auto-restart", 200, ",\"restarts\":1");
    assertThat(run("why", "app").out())
        .startsWith(
            "app.service on 3333aaaab2c34d5e: activating (auto-restart) for 3m, restarted once by"
                + " systemd\napp.service is active on 2 machines\n");
    states = state("113f16a7b2c34d5e", "active", "running", 7300, "");
    assertThat(run("why", "app").out())
        .startsWith("app.service on node1: active (running) for 2h\n");
  }

  @Test
  void ofManyMachinesTheFirstThreeAreToldAndTheOthersCounted() {
    states =
        IntStream.range(1, 6)
            .mapToObj(i -> state("m" + i, "failed", "failed", 5, ",\"result\":\"timeout\""))
            .collect(Collectors.joining(","));
    assertThat(run("why", "app").out())
        .contains("app.service on m3: failed", "app.service is not active on 2 more machines\n")
        .doesNotContain("on m4");
    assertThat(asked("/journal")).isEqualTo(3);
  }

  @Test
  void theMachinesAreListedOnceForAllUnits() {
    failed("");
    assertThat(terminal().forPeople().run("status", "app", "app").code()).isZero();
    assertThat(asked("/machines")).isEqualTo(1);
  }

  private long asked(String path) {
    return paths.stream().filter(one -> one.endsWith(path)).count();
  }

  @Test
  void statusBeginsWithTheSameLineOnATerminalAlone() {
    failed(",\"result\":\"exit-code\",\"exitCode\":1");
    assertThat(run("status", "app").out()).isEqualTo("what systemctl says\n");
    assertThat(terminal().forPeople().run("status", "--no-pager", "app").out())
        .isEqualTo(
            """
            app.service on node1: failed 3m ago, exit code 1: "bind: address in use"
            what systemctl says
            """);
  }
}
