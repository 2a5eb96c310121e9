package fleet.fleetctl.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** The audit log for people and for programs. */
final class AuditCommandTest extends ServedCommandTest {

  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private volatile List<String> lines = List.of();
  private volatile String exitStatus = "0";
  private volatile boolean old;

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    if (request.target().equals("/fleet/v1/machines")) {
      return FakeHttpServer.reply(out, 200, "{}");
    }
    asked.add(URLDecoder.decode(request.target(), UTF_8));
    if (old) {
      return FakeHttpServer.reply(out, 404, "");
    }
    FakeHttpServer.beginChunks(out, "Trailer: Fleet-Exit-Status");
    for (String line : lines) {
      FakeHttpServer.chunk(out, line);
    }
    out.write(("0\r\nFleet-Exit-Status: " + exitStatus + "\r\n\r\n").getBytes(UTF_8));
    return false;
  }

  private static String entry(String target) {
    return """
    {"FLEET_MACHINE":"m1","__CURSOR":"c1","__REALTIME_TIMESTAMP":"1000000","_HOSTNAME":"node1",\
    "MESSAGE":"x","FLEET_SUBJECT":"user root on m2","FLEET_FROM_MACHINE":"m2",\
    "FLEET_ACTION":"unit.put","FLEET_TARGET":%s,"FLEET_HASH_AFTER":"0123456789",\
    "FLEET_RESULT":"done","FLEET_REQUEST_ID":"r1"}
    """
        .formatted(target);
  }

  @Test
  void anEntryIsALine() {
    lines = List.of(entry("\"web.service\""));

    Ran ran = terminal().run("audit", "--subject=root", "--unit=web.service", "-n", "5");

    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .matches(
            "1970-01-0\\d \\d\\d:\\d\\d:01 node1 user root on m2: unit.put web.service done, hash none"
                + " to 0123456\n");
    assertThat(asked.remove())
        .startsWith("/fleet/v1/audit?lines=5&whole=1")
        .contains("&subject=root", "&unit=web.service");
  }

  @Test
  void whatTerminalsObeyIsEscaped() {
    // a, line end, escape, [2J
    lines = List.of(entry("[97,10,27,91,50,74]"));

    assertThat(terminal().run("audit").out())
        .contains("unit.put a\\x0a\\x1b[2J done")
        .hasLineCount(1);
    assertThat(terminal().run("audit", "-o", "json").out())
        .isEqualTo(
            "{\"time\":\"1970-01-01T00:00:01Z\",\"server\":\"m1\",\"request\":\"r1\","
                + "\"subject\":\"user root on m2\",\"machine\":\"m2\",\"action\":\"unit.put\","
                + "\"target\":\"a\\u000a\\u001b[2J\",\"hashAfter\":\"0123456789\","
                + "\"result\":\"done\"}\n");
  }

  @Test
  void aServerThatDoesNotAnswerIsToldAndFailsTheCommand() {
    lines =
        List.of(
            entry("\"web.service\""),
            "{\"FLEET_MACHINE\":\"m3\",\"FLEET_NOTICE\":\"it cannot be reached\"}\n");
    exitStatus = "1";

    Ran ran = terminal().run("audit");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("web.service");
    assertThat(ran.err()).contains("machine m3: it cannot be reached");
  }

  @Test
  void aFleetdThatHasNoneIsToldApart() {
    old = true;

    Ran ran = terminal().run("audit");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("too old to have an audit log");
  }

  @Test
  void wrongOptionsAreWrongCalls() {
    assertThat(terminal().run("audit", "--output=xml").code()).isEqualTo(2);
    assertThat(terminal().run("audit", "--lines=many").code()).isEqualTo(2);
    assertThat(terminal().run("audit", "--since=whenever").code()).isEqualTo(2);
  }
}
