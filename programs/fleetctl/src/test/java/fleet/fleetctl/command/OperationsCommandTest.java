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

final class OperationsCommandTest extends ServedCommandTest {

  private static final String ID = "113f16a7b2c34d5e";
  private static final String OTHER = "2222aaaab2c34d5e";
  private static final String DRAIN =
      operation(
          "drain", ID, "forward", ",\"waitsFor\":\"a.service: machine " + OTHER + " is full\"");
  private static final String ROLLOUT =
      operation(
          "rollout", "web@.service", "back", ",\"paused\":true,\"reason\":\"user b asked for it\"");
  private static final String REBALANCE = operation("rebalance", "", "done", "");

  private final List<String> operations =
      new CopyOnWriteArrayList<>(List.of(DRAIN, REBALANCE, ROLLOUT));
  private final List<String> posts = new CopyOnWriteArrayList<>();
  private volatile int changed = 204;

  private static String operation(String kind, String subject, String stage, String more) {
    return "{\"id\":\"%s\",\"kind\":\"%s\",\"subject\":\"%s\",\"by\":\"user a\",\"started\":\"2026-01-01T00:00:00Z\",\"stage\":\"%s\",\"left\":2%s}"
        .formatted(subject.isEmpty() ? kind : kind + "-" + subject, kind, subject, stage, more);
  }

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    String path = request.path();
    if (request.method().equals("POST")) {
      posts.add(path.substring(path.indexOf("/operations")));
      return FakeHttpServer.reply(
          out,
          changed,
          changed < 400
              ? ""
              : "{\"error\":{\"code\":%d,\"message\":\"no such operation is under way\"}}"
                  .formatted(changed));
    }
    if (path.endsWith("/machines")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"machines\":[{\"id\":\"%s\",\"primaryIP\":\"10.0.0.3\"},{\"id\":\"%s\"}]}"
              .formatted(ID, OTHER));
    }
    if (path.endsWith("/operations")) {
      return FakeHttpServer.reply(
          out, 200, "{\"operations\":[" + String.join(",", operations) + "]}");
    }
    return path.endsWith("/drain-" + ID)
        ? FakeHttpServer.reply(out, 200, DRAIN.replace("\"left\"", steps() + ",\"left\""))
        : FakeHttpServer.reply(
            out, 404, "{\"error\":{\"code\":404,\"message\":\"there is no such operation\"}}");
  }

  private static String steps() {
    return ("\"steps\":[{\"unit\":\"a.service\",\"standing\":\"waits\",\"from\":\"%s\","
            + "\"detail\":\"machine %s is full\"},{\"unit\":\"b.service\",\"standing\":\"leaving\","
            + "\"from\":\"%s\",\"to\":\"%s\"}]")
        .formatted(ID, OTHER, ID, OTHER);
  }

  @Test
  void thoseThatGoOnAreListedWithWhatTheyWaitFor() {
    List<String> lines = run("operations").out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).matches("ID\t+BY\t+SINCE\t+STAGE\t+LEFT\t+WAITS FOR");
    assertThat(lines.get(1))
        .matches(
            "drain-113f16a7...\t+user a\t+[0-9]+d\t+forward\t+2\t+a.service: machine"
                + " 2222aaaa... is full");
    assertThat(lines.get(2)).matches("rollout-web@.service\t+user a\t+[0-9]+d\t+paused\t+2\t+-");
    assertThat(run("operations", "--all", "--full", "--no-legend").out().lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("drain-" + ID))
        .anyMatch(line -> line.startsWith("rebalance\t"));
    operations.clear();
    assertThat(run("operations")).isEqualTo(new Ran(0, "No operation is under way.\n", ""));
    assertThat(run("operations", "-o", "json")).isEqualTo(new Ran(0, "[]\n", ""));
  }

  @Test
  void scriptsGetTheWholeOfThem() {
    assertThat(run("operations", "-o", "name", "--sort=-id").out())
        .isEqualTo("rollout-web@.service\ndrain-" + ID + "\n");
    assertThat(run("operations", "-o", "jsonpath={[?(@.paused==true)].started}").out())
        .isEqualTo("2026-01-01T00:00:00Z\n");
    assertThat(run("operations", "--fields=id,waits-for", "--no-legend").out())
        .startsWith("drain-113f16a7...\ta.service: machine 2222aaaa... is full\n");
    Ran other = run("operations", "pause", "drain", "-o", "json");
    assertThat(other.code()).isEqualTo(2);
    assertThat(other.err()).contains("-o, --fields and --sort are for list, not for pause");
  }

  @Test
  void oneIsShownWithItsSteps() {
    assertThat(run("operations", "show", "drain-113f16a7...").out())
        .isEqualTo(
            """
            Drain of machine 113f16a7.../10.0.0.3, begun by user a at %s, is under way.
            It waits: a.service: machine 2222aaaa... is full
              waits    a.service from 113f16a7.../10.0.0.3: machine 2222aaaa... is full
              leaving  b.service from 113f16a7.../10.0.0.3 to 2222aaaa...
            """
                .formatted(LocalTimes.of("2026-01-01T00:00:00Z")));
    Ran none = run("operations", "show", "rollout-none@.service");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).contains("there is no rollout of none@.service");
  }

  @Test
  void theCourseOfOneIsChangedByTheBeginningOfItsId() {
    assertThat(run("operations", "pause", "drain").out())
        .isEqualTo("Operation drain-" + ID + " is paused.\n");
    assertThat(run("operations", "revert", "rollout-web@").out())
        .isEqualTo("Operation rollout-web@.service is being reverted.\n");
    assertThat(run("operations", "cancel", "reb").out())
        .isEqualTo("Operation rebalance is cancelled.\n");
    changed = 200;
    assertThat(run("operations", "pause", "rebalance").out())
        .isEqualTo("Operation rebalance is already paused.\n");
    assertThat(run("operations", "resume", "rebalance").out())
        .isEqualTo("Operation rebalance is not paused.\n");
    assertThat(posts)
        .containsExactly(
            "/operations/drain-" + ID + "/pause",
            "/operations/rollout-web@.service/revert",
            "/operations/rebalance/cancel",
            "/operations/rebalance/pause",
            "/operations/rebalance/resume");
    changed = 404;
    Ran unknown = run("operations", "cancel", "rollout-none@.service");
    assertThat(unknown.code()).isEqualTo(1);
    assertThat(unknown.err()).contains("no such operation is under way");
  }

  @Test
  void wrongUseIsRefused() {
    assertThat(run("operations", "show").code()).isEqualTo(2);
    assertThat(run("operations", "pause", "a", "b").code()).isEqualTo(2);
    assertThat(run("operations", "undo", "rebalance").err())
        .contains("unknown action \"undo\": expect list, show, pause, resume, revert or cancel");
    Ran ambiguous = run("operations", "pause", "r");
    assertThat(ambiguous.code()).isEqualTo(1);
    assertThat(ambiguous.err()).contains("rebalance, rollout-web@.service");
    assertThat(posts).isEmpty();
  }
}
