package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UnitStateCommandTest extends ServedCommandTest {

  private static final String UNITS =
      """
      {"units":[
      {"name":"up.service","machineID":"m1"},
      {"name":"up@1.service","machineID":"m1"},
      {"name":"bad.service","machineID":"m2"},
      {"name":"re.service","machineID":"m1"},
      {"name":"mon.service","global":true},
      {"name":"lost.service","machineID":"m3"},
      {"name":"wait.service"}]}
      """;

  private static final String STATES =
      """
      {"states":[
      {"name":"up.service","machineID":"m1","systemdActiveState":"active"},
      {"name":"up@1.service","machineID":"m1","systemdActiveState":"active"},
      {"name":"bad.service","machineID":"m2","systemdActiveState":"failed"},
      {"name":"re.service","machineID":"m1","systemdActiveState":"reloading"},
      {"name":"mon.service","machineID":"m1","systemdActiveState":"active"},
      {"name":"mon.service","machineID":"m2","systemdActiveState":"activating"}],
      "unreported":[{"machineID":"m3","units":1}]}
      """;

  private static final String MACHINES =
      """
      {"machines":[{"id":"m1","hostname":"node1"},{"id":"m2","hostname":"node2"}]}
      """;

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    return switch (request.path()) {
      case "/fleet/v1/units" -> FakeHttpServer.reply(out, 200, UNITS);
      case "/fleet/v1/state" -> FakeHttpServer.reply(out, 200, STATES);
      case "/fleet/v1/machines" -> FakeHttpServer.reply(out, 200, MACHINES);
      default -> FakeHttpServer.reply(out, 200, "{\"absent\":[]}");
    };
  }

  @ParameterizedTest
  @CsvSource({
    "up, active, 0, 1",
    "bad, failed, 3, 0",
    "re, reloading, 0, 1",
    "wait, inactive, 3, 1",
    "mon, activating, 3, 1",
    "lost, unknown, 4, 4",
    "gone, inactive, 4, 4",
  })
  void theExitCodeIsThatOfSystemctl(String unit, String state, int active, int failed) {
    assertThat(run("is-active", unit)).isEqualTo(new Ran(active, state + "\n", ""));
    assertThat(run("is-failed", unit)).isEqualTo(new Ran(failed, state + "\n", ""));
    assertThat(run("is-active", "-q", unit)).isEqualTo(new Ran(active, "", ""));
  }

  @Test
  void oneOfSeveralIsEnough() {
    assertThat(run("is-active", "wait", "gone", "up"))
        .isEqualTo(new Ran(0, "inactive\ninactive\nactive\n", ""));
    assertThat(run("is-failed", "up", "bad", "lost"))
        .isEqualTo(new Ran(0, "active\nfailed\nunknown\n", ""));
    assertThat(run("is-active", "gone", "wait").code()).isEqualTo(3);
  }

  @Test
  void aPatternMeansTheUnitsThatItMatches() {
    assertThat(run("is-active", "up*")).isEqualTo(new Ran(0, "active\nactive\n", ""));
    assertThat(run("is-failed", "no*").code()).isEqualTo(1);
  }

  @Test
  void aMachineOfAGlobalUnitCanBeChosen() {
    assertThat(run("is-active", "--machine=node1", "mon")).isEqualTo(new Ran(0, "active\n", ""));
    assertThat(run("is-active", "--machine=node2", "mon").code()).isEqualTo(3);
  }
}
