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

final class PlanCommandTest extends ServedCommandTest {

  private static final String ID = "113f16a7b2c34d5e";
  private static final String OTHER = "2222aaaab2c34d5e";

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile String changes = "";

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    String path = request.path();
    if (path.endsWith("/plan")) {
      asked.add(request.body());
      return FakeHttpServer.reply(
          out, 200, changes.isEmpty() ? "{}" : "{\"changes\":[" + changes + "]}");
    }
    if (path.endsWith("/machines")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"machines\":[{\"id\":\"%s\",\"primaryIP\":\"10.0.0.3\"},{\"id\":\"%s\"}]}"
              .formatted(ID, OTHER));
    }
    if (path.endsWith("/units")) {
      return FakeHttpServer.reply(
          out, 200, "{\"units\":[{\"name\":\"there.service\",\"desiredState\":\"launched\"}]}");
    }
    if (path.endsWith("/units/there.service")) {
      return FakeHttpServer.reply(
          out, 200, "{\"name\":\"there.service\",\"desiredState\":\"launched\"}");
    }
    if (path.endsWith("/units/idle.service")) {
      return FakeHttpServer.reply(
          out, 200, "{\"name\":\"idle.service\",\"desiredState\":\"inactive\"}");
    }
    if (path.contains("/units/")) {
      return FakeHttpServer.reply(
          out, 404, "{\"error\":{\"code\":404,\"message\":\"unit does not exist\"}}");
    }
    return FakeHttpServer.reply(out, 200, "{}");
  }

  private static String change(String what, String from, String to, String reason) {
    return "{\"name\":\"web.service\",\"change\":\"%s\",\"from\":\"%s\",\"to\":\"%s\",\"reason\":\"%s\"}"
        .formatted(what, from, to, reason);
  }

  @Test
  void eachChangeIsALineAndTheExitCodeSaysThatThereAreSome() {
    changes =
        String.join(
            ",",
            change("placed", "", OTHER, "least loaded"),
            change("moved", ID, OTHER, "least loaded"),
            change("left", ID, "", "nobody asks for it any more"),
            change("started", ID, ID, ""),
            change("stopped", ID, ID, ""),
            change("unplaced", ID, "", "no room"),
            change("stays", ID, "", "no room"));
    assertThat(run("plan", "drain", "113f", "--max-unavailable=2"))
        .isEqualTo(
            new Ran(
                3,
                """
                Unit web.service would come to 2222aaaa...: least loaded
                Unit web.service would move from 113f16a7.../10.0.0.3 to 2222aaaa...: least loaded
                Unit web.service would leave 113f16a7.../10.0.0.3: nobody asks for it any more
                Unit web.service would start on 113f16a7.../10.0.0.3
                Unit web.service would stop on 113f16a7.../10.0.0.3
                Unit web.service would find no place and leave 113f16a7.../10.0.0.3: no room
                Unit web.service would stay on 113f16a7.../10.0.0.3: no room
                """,
                ""));
    assertThat(asked).containsExactly("{\"drain\":\"" + ID + "\",\"maxUnavailable\":2}");
  }

  @Test
  void nothingToChangeIsZeroAlsoWhereUnitsStay() {
    assertThat(run("plan", "lose-machine", ID))
        .isEqualTo(new Ran(0, "Nothing would change.\n", ""));
    assertThat(asked).containsExactly("{\"lose\":\"" + ID + "\"}");
    changes = change("stays", ID, "", "no room");
    assertThat(run("plan", "drain", ID).code()).isZero();
  }

  @Test
  void asJsonItIsAsTheApiHasIt() {
    changes = change("placed", "m", OTHER, "least loaded");
    assertThat(run("plan", "--json", "drain", ID))
        .isEqualTo(new Ran(3, "{\"changes\":[" + changes + "]}\n", ""));
  }

  @Test
  void unitsAreAskedForAsTheirCommandsDo() throws IOException {
    Files.writeString(directory.resolve("new.service"), "[Service]\nExecStart=/bin/true\n");
    assertThat(run("plan", "start", "new.service", "there").code()).isZero();
    assertThat(asked.getFirst()).contains("\"name\":\"new.service\"", "ExecStart", "launched");
    assertThat(run("plan", "stop", "there").code()).isZero();
    assertThat(asked.get(1)).contains("\"name\":\"there.service\"", "\"desiredState\":\"loaded\"");
    assertThat(run("plan", "destroy", "there"))
        .isEqualTo(new Ran(3, "Unit there.service would be gone\n", ""));
    assertThat(asked.get(2)).isEqualTo("{\"destroy\":[\"there.service\"]}");
  }

  @Test
  void whatCannotBePlannedIsRefused() {
    assertThat(run("plan").code()).isEqualTo(2);
    assertThat(run("plan", "paint", "x").err()).contains("\"paint\" cannot be planned");
    assertThat(run("plan", "start").code()).isEqualTo(2);
    assertThat(run("plan", "drain").code()).isEqualTo(2);
    assertThat(run("plan", "drain", ID, OTHER).code()).isEqualTo(2);
    assertThat(run("plan", "drain", "--max-unavailable=0", ID).code()).isEqualTo(2);
    assertThat(run("plan", "stop", "missing").code()).isEqualTo(1);
    assertThat(run("plan", "stop", "idle").err()).contains("in state inactive");
    assertThat(run("plan", "start", "web@.service").code()).isEqualTo(1);
    assertThat(asked).isEmpty();
  }
}
