package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.fleetctl.output.LocalTimes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class MaintenanceCommandTest extends ServedCommandTest {

  private static final String HERE = "113f16a7b2c34d5e";
  private static final String AWAY = "2222aaaab2c34d5e";
  private static final String UNTIL = "2026-01-01T00:30:00Z";
  private static final String WINDOW =
      "\"maintenance\":{\"by\":\"user a\",\"until\":\"" + UNTIL + "\"}";

  private final List<String> asked = new CopyOnWriteArrayList<>();

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    if (request.path().endsWith("/machines")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"machines\":[{\"id\":\"%s\",\"hostname\":\"node1\",\"cordoned\":true,\"state\":\"maintenance\",%s}]}"
              .formatted(HERE, WINDOW));
    }
    if (request.path().endsWith("/rescheduling")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"absent\":[{\"id\":\"%s\",\"hostname\":\"node2\",\"standing\":\"maintenance\",\"units\":2,%s}]}"
              .formatted(AWAY, WINDOW));
    }
    asked.add(request.method() + " " + request.target());
    return request.method().equals("DELETE")
        ? FakeHttpServer.reply(out, request.path().contains(AWAY) ? 204 : 200, "")
        : FakeHttpServer.reply(out, 200, "{\"by\":\"user a\",\"until\":\"" + UNTIL + "\"}");
  }

  @Test
  void itBeginsForATimeAndSaysUntilWhen() {
    assertThat(run("maintenance", "--for=1h30m", "node1"))
        .isEqualTo(
            new Ran(
                0,
                "Machine node1 is in maintenance until "
                    + LocalTimes.of(UNTIL)
                    + ": its units stay on it while its fleetd is away.\n",
                ""));
    assertThat(run("maintenance", "node1").code()).isZero();
    assertThat(asked)
        .containsExactly(
            "POST /fleet/v1/machines/" + HERE + "/maintenance?for=5400s",
            "POST /fleet/v1/machines/" + HERE + "/maintenance");
  }

  @Test
  void itsEndOfAMachineThatIsAwayWarnsOfUnitsThatRunTwice() {
    assertThat(run("maintenance", "--end", "node2", "node1"))
        .isEqualTo(
            new Ran(
                0,
                "Machine node2 is not in maintenance any more. It is away: its units start"
                    + " elsewhere, and run twice if it still runs them.\n"
                    + "Machine node1 was in no maintenance.\n",
                ""));
    assertThat(asked)
        .containsExactly(
            "DELETE /fleet/v1/machines/" + AWAY + "/maintenance",
            "DELETE /fleet/v1/machines/" + HERE + "/maintenance");
    assertThat(run("maintenance", "--end", "0123456789abcdef0123456789abcdef").err())
        .contains("no machine has the id 0123456789abcdef0123456789abcdef");
  }

  @Test
  void whatCannotBeMeantIsRefusedAndNothingIsAsked() {
    assertThat(run("maintenance").code()).isEqualTo(2);
    for (String time : List.of("--for=59s", "--for=25h")) {
      assertThat(run("maintenance", time, "node1").err())
          .startsWith("Error: --for must be from 1m to 24h");
    }
    assertThat(run("maintenance", "--end", "--for=1h", "node1").code()).isEqualTo(2);
    assertThat(run("maintenance", "node3").err()).contains("no machine is called \"node3\"");
    assertThat(asked).isEmpty();
  }

  @Test
  void theListOfMachinesSaysWhoIsInMaintenanceAndUntilWhen() {
    String window = "in maintenance until " + LocalTimes.of(UNTIL) + ", as user a asked";
    assertThat(run("list-machines").out())
        .contains(
            "Machine 113f16a7... is "
                + window
                + ": its units stay on it, and no new units come"
                + " to it.\n",
            "Machine 2222aaaa... is away, " + window + ": its units stay on it (2 units).\n");
    assertThat(run("list-machines", "--all", "--no-legend", "--fields=hostname,state").out())
        .isEqualTo("node1\tmaintenance\nnode2\tmaintenance\n");
  }
}
