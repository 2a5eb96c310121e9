package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Orders to systemd, and what machines say to them. */
final class SystemctlCommandTest extends ServedCommandTest {

  private static final String UNITS =
      """
      {"units":[
      {"name":"web@1.service","machineID":"m1","desiredState":"launched"},
      {"name":"web@2.service","machineID":"m2","desiredState":"launched"},
      {"name":"mon.service","global":true,"desiredState":"launched"},
      {"name":"big.service","desiredState":"launched","waiting":"no machine has region=eu"}]}
      """;

  private static final String STATES =
      """
      {"states":[
      {"name":"mon.service","machineID":"m1","systemdActiveState":"active"},
      {"name":"mon.service","machineID":"m2","systemdActiveState":"active"}]}
      """;

  private static final String MACHINES =
      """
      {"machines":[{"id":"m1","hostname":"node1"},{"id":"m2","hostname":"node2"}]}
      """;

  private final List<String> orders = new CopyOnWriteArrayList<>();

  /** By machine: the exit code, and after a blank the words. */
  private final Map<String, String> answers = new ConcurrentHashMap<>();

  private boolean old;
  private boolean lost;

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    if (request.method().equals("POST")) {
      orders.add(request.target().substring("/fleet/v1/units/".length()));
      return old
          ? FakeHttpServer.reply(out, 404, "{\"error\":{\"code\":404,\"message\":\"\"}}")
          : carryOut(out, request.query().replaceAll("machine=([^&]*).*", "$1"));
    }
    return switch (request.path()) {
      case "/fleet/v1/units" -> FakeHttpServer.reply(out, 200, UNITS);
      case "/fleet/v1/state" -> FakeHttpServer.reply(out, 200, STATES);
      case "/fleet/v1/machines" -> FakeHttpServer.reply(out, 200, MACHINES);
      case "/fleet/v1/rescheduling" -> FakeHttpServer.reply(out, 200, "{\"absent\":[]}");
      default -> FakeHttpServer.reply(out, 404, "{}");
    };
  }

  private boolean carryOut(OutputStream out, String machine) throws IOException {
    String[] answer = answers.getOrDefault(machine, "0 ").split(" ", 2);
    FakeHttpServer.beginChunks(out, "Trailer: Fleet-Exit-Status");
    if (!answer[1].isEmpty()) {
      FakeHttpServer.chunk(out, answer[1] + "\n");
    }
    String end = lost ? "0\r\n\r\n" : "0\r\nFleet-Exit-Status: " + answer[0] + "\r\n\r\n";
    out.write(end.getBytes(StandardCharsets.UTF_8));
    return true;
  }

  @Test
  void anOrderGoesToTheMachineOfTheUnit() {
    assertThat(run("reload", "web@1"))
        .isEqualTo(new Ran(0, "web@1.service reloaded on node1\n", ""));
    assertThat(orders).containsExactly("web@1.service/reload?machine=m1");
  }

  @Test
  void aSignalGoesToThoseItIsFor() {
    assertThat(run("kill", "-s", "SIGHUP", "--kill-whom=main", "web@1").out())
        .isEqualTo("SIGHUP sent to web@1.service on node1\n");
    assertThat(run("kill", "web@2").out()).isEqualTo("SIGTERM sent to web@2.service on node2\n");
    assertThat(orders)
        .containsExactly(
            "web@1.service/kill?machine=m1&signal=HUP&whom=main",
            "web@2.service/kill?machine=m2&signal=TERM&whom=all");
  }

  @Test
  void aGlobalUnitIsToldOnEachOfItsMachinesOrOnTheChosenOne() {
    answers.put("m2", "1 Job for mon.service failed.");
    assertThat(run("reload", "mon"))
        .isEqualTo(
            new Ran(
                1,
                "mon.service reloaded on node1\n",
                "mon.service on node2: Job for mon.service failed.\n"));
    orders.clear();
    assertThat(run("freeze", "--machine=node1", "mon").out())
        .isEqualTo("mon.service frozen on node1\n");
    assertThat(orders).containsExactly("mon.service/freeze?machine=m1");
  }

  /** The exit code is systemctl's, of the first unit that failed. */
  @Test
  void aUnitThatFailsKeepsNoOtherFromItsOrder() {
    answers.put("m1", "5 Unit web@1.service not loaded.");
    Ran ran = run("thaw", "web@1", "web@2");
    assertThat(ran.code()).isEqualTo(5);
    assertThat(ran.out()).isEqualTo("web@2.service thawed on node2\n");
    assertThat(ran.err()).isEqualTo("web@1.service on node1: Unit web@1.service not loaded.\n");
  }

  @Test
  void aUnitThatIsNowhereIsNamed() {
    Ran ran = run("reload", "gone", "big", "web@2");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEqualTo("web@2.service reloaded on node2\n");
    assertThat(ran.err())
        .isEqualTo(
            """
            Unit gone.service does not exist.
            Unit big.service does not appear to be loaded: no machine has region=eu
            """);
  }

  @Test
  void failuresAreForgottenByPattern() {
    assertThat(run("reset-failed", "web@*").out())
        .isEqualTo("web@1.service reset on node1\nweb@2.service reset on node2\n");
    Ran none = run("reset-failed", "db*");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).isEqualTo("Error: no unit matches db*\n");
  }

  @Test
  void anOlderFleetdIsSaidToBeTooOld() {
    old = true;
    Ran ran = run("freeze", "web@1");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("is too old to freeze units: upgrade it");
  }

  @Test
  void anAnswerWithoutTheExitStatusIsNoSuccess() {
    lost = true;
    Ran ran = run("kill", "web@1");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("whether it was done is not known, see: fleetctl status web@1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-s|LOUD|invalid signal \"LOUD\"",
        "--kill-whom|me|invalid whom \"me\"",
        "--machine|node9|no machine is called \"node9\"",
      })
  void wrongValuesGoToNoMachine(String flag, String value, String problem) {
    Ran ran = run("kill", flag, value, "web@1");
    assertThat(ran.code()).isEqualTo(flag.equals("--machine") ? 1 : 2);
    assertThat(ran.err()).contains(problem);
    assertThat(orders).isEmpty();
  }
}
