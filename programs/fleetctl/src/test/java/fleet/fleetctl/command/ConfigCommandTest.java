package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class ConfigCommandTest extends ServedCommandTest {

  private static final String STRATEGY =
      "{\"name\":\"scheduler.strategy\",\"value\":\"binpack\",\"usual\":\"least-loaded\","
          + "\"by\":\"user root\"}";

  private final List<String> asked = new CopyOnWriteArrayList<>();

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    asked.add(request.method() + " " + request.path() + " " + request.body());
    if (request.path().endsWith("/config")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"settings\":[{\"name\":\"scheduler.overcommit.memory\",\"value\":\"1\",\"usual\":"
              + "\"1\"},"
              + STRATEGY
              + "]}");
    }
    if (!request.path().endsWith("/config/scheduler.strategy")) {
      return FakeHttpServer.reply(
          out, 404, "{\"error\":{\"code\":404,\"message\":\"there is no such setting\"}}");
    }
    return !request.method().equals("GET")
        ? FakeHttpServer.reply(out, 204, "")
        : FakeHttpServer.reply(out, 200, STRATEGY);
  }

  @Test
  void settingsAreListedWithWhoSetThem() {
    List<List<String>> cells =
        run("config").out().lines().map(line -> List.of(line.split("\t+"))).toList();
    assertThat(cells)
        .containsExactly(
            List.of("NAME", "VALUE", "DEFAULT", "BY"),
            List.of("scheduler.overcommit.memory", "1", "1", "-"),
            List.of("scheduler.strategy", "binpack", "least-loaded", "user root"));
    assertThat(run("config", "list", "--no-legend").out()).startsWith("scheduler.overcommit");
    assertThat(run("config", "-o", "jsonpath={[?(@.by)].value}").out()).isEqualTo("binpack\n");
    assertThat(run("config", "--sort=-name", "-o", "name").out())
        .isEqualTo("scheduler.strategy\nscheduler.overcommit.memory\n");
    assertThat(run("config", "get", "scheduler.strategy", "-o", "json").code()).isEqualTo(2);
  }

  @Test
  void oneIsReadAndSet() {
    assertThat(run("config", "get", "scheduler.strategy")).isEqualTo(new Ran(0, "binpack\n", ""));
    assertThat(run("config", "set", "scheduler.strategy", "spread")).isEqualTo(new Ran(0, "", ""));
    assertThat(asked.getLast())
        .isEqualTo("PUT /fleet/v1/config/scheduler.strategy {\"value\":\"spread\"}");
    assertThat(run("config", "unset", "scheduler.strategy")).isEqualTo(new Ran(0, "", ""));
    assertThat(asked.getLast()).isEqualTo("DELETE /fleet/v1/config/scheduler.strategy ");
    assertThat(run("config", "unset", "strategy").err()).contains("there is no such setting");
  }

  @Test
  void whatIsWrongIsSaid() {
    Ran unknown = run("config", "get", "strategy");
    assertThat(unknown.code()).isEqualTo(1);
    assertThat(unknown.err()).contains("there is no such setting");
    assertThat(run("config", "get").err()).contains("expect fleetctl config get NAME");
    assertThat(run("config", "set", "a").err()).contains("set NAME VALUE");
    assertThat(run("config", "set", "a", "b", "c").err()).contains("unexpected argument: c");
    assertThat(run("config", "unset").err()).contains("expect fleetctl config unset NAME");
    assertThat(run("config", "drop").err()).contains("expect list, get, set or unset");
    assertThat(run("config", "drop").code()).isEqualTo(2);
  }
}
