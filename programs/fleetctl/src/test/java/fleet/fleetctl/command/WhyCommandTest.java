package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

final class WhyCommandTest extends ServedCommandTest {

  private static final String WAITS =
      "{\"unit\":\"web.service\",\"standing\":\"waits\",\"reason\":\"2 of 2 machines lack"
          + " region=eu\",\"machines\":2,\"obstacles\":[{\"rule\":\"MachineMetadata\",\"text\":"
          + "\"all 2 machines lack region=eu\",\"machines\":["
          + "{\"machineID\":\"113f16a7b2c34d5e\",\"reason\":\"lacks region=eu\"},"
          + "{\"machineID\":\"2222aaaab2c34d5e\",\"reason\":\"lacks region=eu\"}]}],"
          + "\"nearest\":{\"machineID\":\"113f16a7b2c34d5e\",\"reasons\":[\"lacks region=eu\"],"
          + "\"change\":\"machine 113f16a7b2c34d5e gets region=eu\"}}";

  private static final String PLACED =
      "{\"unit\":\"web.service\",\"standing\":\"placed\",\"machineID\":\"113f16a7b2c34d5e\","
          + "\"reason\":\"least loaded\",\"machines\":2,\"contenders\":["
          + "{\"machineID\":\"113f16a7b2c34d5e\",\"reason\":\"least loaded\"},"
          + "{\"machineID\":\"2222aaaab2c34d5e\",\"reason\":\"has 1 unit\"}]}";

  private static final String THIRD = "3333cccc000000000000000000000001";

  private String answer = WAITS;

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    if (request.path().endsWith("/machines")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"machines\":[{\"id\":\"113f16a7b2c34d5e\",\"primaryIP\":\"10.0.0.3\"},"
              + "{\"id\":\""
              + THIRD
              + "\",\"hostname\":\"third\"}]}");
    }
    if (!request.path().endsWith("/units/web.service/why")) {
      return FakeHttpServer.reply(
          out, 404, "{\"error\":{\"code\":404,\"message\":\"unit does not exist\"}}");
    }
    return answer.isEmpty()
        ? FakeHttpServer.reply(out, 404, "")
        : FakeHttpServer.reply(out, 200, answer);
  }

  @Test
  void aUnitThatWaitsSaysWhatIsInTheWayAndWhatWouldHelp() {
    assertThat(run("why", "web"))
        .isEqualTo(
            new Ran(
                0,
                """
                web.service waits for a place: 2 of 2 machines lack region=eu
                MachineMetadata: all 2 machines lack region=eu
                  113f16a7.../10.0.0.3\tlacks region=eu
                  2222aaaab2c34d5e\tlacks region=eu
                Nearest: 113f16a7.../10.0.0.3, which lacks region=eu
                It would be placed there once machine 113f16a7.../10.0.0.3 gets region=eu
                """,
                ""));
  }

  @Test
  void aUnitThatIsPlacedSaysWhyThereAndNotOnTheNext() {
    answer = PLACED;
    assertThat(run("why", "web.service").out())
        .isEqualTo(
            """
            web.service is on 113f16a7.../10.0.0.3: least loaded
            Compared now:
              113f16a7.../10.0.0.3\tleast loaded
              2222aaaab2c34d5e\thas 1 unit
            """);
    answer = PLACED.replaceFirst("113f16a7b2c34d5e", "2222aaaab2c34d5e");
    assertThat(run("why", "web.service").out())
        .contains("Placed now, it would go to the first of these; it stays where it is:\n");
  }

  @Test
  void anIdIsAMachineWhateverTheWordBeforeIt() {
    answer = PLACED.replace("has 1 unit", "has 1 unit, and " + THIRD + " 2 units");
    assertThat(run("why", "web.service").out()).contains("\thas 1 unit, and third 2 units\n");
  }

  @Test
  void asJsonItIsWhatTheApiHas() {
    assertThat(run("why", "--json", "web.service").out()).isEqualTo(WAITS + "\n");
    assertThat(run("why", "-o", "json", "web.service").out()).isEqualTo(WAITS + "\n");
    assertThat(run("why", "-o", "text", "web.service").out()).doesNotStartWith("{");
    Ran yaml = run("why", "-o", "yaml", "web.service");
    assertThat(yaml.code()).isEqualTo(2);
    assertThat(yaml.err()).contains("expected one of [text, json]");
  }

  @Test
  void whatIsNotThereOrTooOldIsSaid() {
    assertThat(run("why", "other.service", "web.service").code()).isEqualTo(1);
    assertThat(run("why", "other.service").err()).isEqualTo("Unit other.service does not exist.\n");
    answer = "";
    assertThat(run("why", "web.service").err())
        .contains("too old to explain placements: upgrade it");
    assertThat(run("why").code()).isEqualTo(2);
  }
}
