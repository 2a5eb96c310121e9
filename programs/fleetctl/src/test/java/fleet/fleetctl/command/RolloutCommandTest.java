package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.fleetctl.output.LocalTimes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RolloutCommandTest extends ServedCommandTest {

  private static final String CONTENT = "[Service]\nExecStart=/bin/sleep 2000\n";

  private static final String GLOBAL = CONTENT + "[X-Fleet]\nGlobal=true\n";

  /** How far it is, look by look; the last one stays. */
  private final BlockingQueue<String> looks = new LinkedBlockingQueue<>();

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final List<String> changes = new CopyOnWriteArrayList<>();
  private volatile String last = "";
  private volatile int started = 201;
  private volatile String refusal = "\"a rollout is under way\"";
  private volatile int changed = 204;

  @BeforeEach
  void writeFile() throws IOException {
    var _ = Files.writeString(directory.resolve("web@.service"), CONTENT);
  }

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    String path = request.path();
    if (path.endsWith("/events")) {
      FakeHttpServer.beginChunks(out, "Content-Type: text/event-stream");
      FakeHttpServer.chunk(out, "event: start\nid: 1\n\n");
      return happen(out);
    }
    if (path.endsWith("/machines")) {
      return FakeHttpServer.reply(
          out, 200, "{\"machines\":[{\"id\":\"113f16a7b2c34d5e\",\"primaryIP\":\"10.0.0.3\"}]}");
    }
    if (request.method().equals("GET") && path.endsWith("/units/g.service")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"name\":\"g.service\",\"desiredState\":\"launched\",\"global\":true,\"incarnation\":\"i1\","
              + "\"options\":[{\"section\":\"X-Fleet\",\"name\":\"Global\",\"value\":\"true\"}]}");
    }
    if (request.method().equals("GET")) {
      return path.endsWith("/operations") ? all(out) : look(out);
    }
    changes.add(request.method() + " " + path.substring("/fleet/v1".length()) + request.body());
    if (request.method().equals("PUT")) {
      return started < 400
          ? FakeHttpServer.reply(out, started, "")
          : FakeHttpServer.reply(
              out, started, "{\"error\":{\"code\":409,\"message\":" + refusal + "}}");
    }
    return FakeHttpServer.reply(out, changed, "");
  }

  private boolean all(OutputStream out) throws IOException {
    return FakeHttpServer.reply(
        out, 200, last.isEmpty() ? "{}" : "{\"operations\":[" + last + "]}");
  }

  private boolean look(OutputStream out) throws IOException {
    last = Objects.requireNonNullElse(looks.poll(), last);
    events.add("state");
    return last.isEmpty()
        ? FakeHttpServer.reply(
            out, 404, "{\"error\":{\"code\":404,\"message\":\"there is no rollout\"}}")
        : FakeHttpServer.reply(out, 200, last);
  }

  private boolean happen(OutputStream out) throws IOException {
    try {
      while (true) {
        FakeHttpServer.chunk(out, "event: " + events.take() + "\nid: 2\ndata: {}\n\n");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String rollout(String stage, String why, String... units) {
    return ("{\"id\":\"rollout-web@.service\",\"kind\":\"rollout\",\"subject\":\"web@.service\","
            + "\"stage\":\"%s\",\"by\":\"user a\",\"reason\":\"%s\","
            + "\"started\":\"2026-01-01T00:00:00Z\",\"steps\":[%s]}")
        .formatted(stage, why, String.join(",", units));
  }

  private static String unit(int number, String standing, String how) {
    return "{\"unit\":\"web@%d.service\",\"standing\":\"%s\",\"detail\":\"%s\"}"
        .formatted(number, standing, how);
  }

  @Test
  void eachStepIsTold() {
    String up = "is active on machine 113f16a7b2c34d5e";
    looks.add(
        rollout("forward", "", unit(1, "starting", "is being started"), unit(2, "waits", up)));
    looks.add(rollout("forward", "", unit(1, "proving", up), unit(2, "waits", up)));
    looks.add(rollout("forward", "", unit(1, "done", up), unit(2, "starting", "")));
    looks.add(rollout("done", "", unit(1, "done", up), unit(2, "done", up)));
    assertThat(run("rollout", "web@", "--max-unavailable=2", "--healthy=3s"))
        .isEqualTo(
            new Ran(
                0,
                """
                Rollout of web@.service has begun.
                Unit web@1.service has the new content and is active on machine 113f16a7.../10.0.0.3
                Unit web@2.service has the new content and is active on machine 113f16a7.../10.0.0.3
                Rollout of web@.service is done.
                """,
                ""));
    assertThat(changes)
        .containsExactly(
            "PUT /rollouts/web@.service{\"options\":[{\"name\":\"ExecStart\","
                + "\"section\":\"Service\",\"value\":\"/bin/sleep 2000\"}],"
                + "\"maxUnavailable\":2,\"healthySeconds\":3}");
  }

  @Test
  void oneThatGoesBackSaysWhyAndFails() {
    String bad = "failed on machine m1: exit-code";
    String why = "web@2.service " + bad;
    String up = unit(3, "done", "is active");
    looks.add(
        rollout(
            "forward",
            "",
            unit(1, "done", "is active"),
            unit(2, "starting", ""),
            unit(3, "waits", "is active")));
    looks.add(rollout("back", why, unit(1, "waits", "is active"), unit(2, "starting", ""), up));
    looks.add(
        rollout("undone", why, unit(1, "done", "is active"), unit(2, "done", "is active"), up));
    Ran ran = run("rollout", "web@.service");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .isEqualTo(
            """
            Rollout of web@.service has begun.
            Unit web@1.service has the new content and is active
            Unit web@1.service has again what it had and is active
            Unit web@2.service has again what it had and is active
            """);
    assertThat(ran.err())
        .contains(
            "Rollout of web@.service is being reverted: " + why,
            "(see: fleetctl journal web@2.service)",
            "Rollout of web@.service was reverted: all units have their former version.");
  }

  @Test
  void oneThatGoesOnAlreadyIsFollowedAndAnotherIsNot() throws IOException {
    started = 202;
    looks.add(rollout("done", ""));
    assertThat(run("rollout", "web@").out())
        .isEqualTo(
            "Rollout of web@.service to this version is already under way.\nRollout of web@.service is done.\n");
    var _ = Files.writeString(directory.resolve("web@.service"), CONTENT + "Restart=always\n");
    started = 409;
    Ran other = run("rollout", "web@");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err()).contains("a rollout is under way");
  }

  @Test
  void anotherThatTakesItsPlaceIsNotTakenForIt() {
    looks.add(rollout("forward", "", unit(1, "starting", "")));
    looks.add(rollout("done", "").replace("2026-01-01", "2026-01-02"));
    Ran ran = run("rollout", "web@");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("Another operation has taken the place of this one");
  }

  @Test
  void whatHoldsItUpIsTold() {
    looks.add(
        rollout("forward", "", unit(1, "waits", "is active"))
            .replace("\"steps\"", "\"waitsFor\":\"web@9.service is failed\",\"steps\""));
    Ran ran = run("rollout", "--block-attempts=1", "web@");
    assertThat(ran.err()).contains("unit web@1.service waits: web@9.service is failed");
    assertThat(run("rollout", "--status", "web@").out())
        .contains("It waits: web@9.service is failed\n");
  }

  private static String machine(String id, String standing, String how) {
    return "{\"unit\":\"g.service\",\"to\":\"%s\",\"standing\":\"%s\",\"detail\":\"%s\"}"
        .formatted(id, standing, how);
  }

  private static String global(String stage, String why, String... machines) {
    return rollout(stage, why, machines).replace("web@.service", "g.service");
  }

  @Test
  void aLaunchedGlobalUnitIsReplacedMachineByMachine() throws IOException {
    var _ = Files.writeString(directory.resolve("g.service"), GLOBAL);
    String why = "g.service on machine m2 failed: exit-code";
    looks.add(
        global("forward", "", machine("m1", "starting", ""), machine("m2", "waits", "is active")));
    looks.add(
        global("forward", "", machine("m1", "done", "is active"), machine("m2", "starting", "")));
    looks.add(
        global("back", why, machine("m1", "waits", "is active"), machine("m2", "starting", "")));
    looks.add(
        global(
            "undone", why, machine("m1", "done", "is active"), machine("m2", "done", "is active")));

    Ran ran = run("start", "--replace", "g.service");

    assertThat(changes)
        .containsExactly(
            "PUT /rollouts/g.service{\"options\":[{\"name\":\"ExecStart\",\"section\":\"Service\",\"value\":\"/bin/sleep"
                + " 2000\"},{\"name\":\"Global\",\"section\":\"X-Fleet\","
                + "\"value\":\"true\"}],\"maxUnavailable\":1,\"healthySeconds\":0,\"text\":\"[Service]\\nExecStart=/bin/sleep"
                + " 2000\\n[X-Fleet]\\nGlobal=true\\n\"}");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).isEqualTo("Triggered global unit g.service start\n");
    assertThat(ran.err())
        .contains(
            "Unit g.service on m1 has the new content and is active\n",
            "Rollout of g.service is being reverted: " + why,
            "(see: fleetctl journal g.service)",
            "Unit g.service on m1 has again what it had and is active\n",
            "Unit g.service on m2 has again what it had and is active\n",
            "Rollout of g.service was reverted");
    changes.clear();
    assertThat(run("start", "--replace", "--all-at-once", "--no-block", "g.service").out())
        .endsWith("Triggered global unit g.service start\n");
    assertThat(changes).singleElement().asString().startsWith("PUT /units/g.service");
    started = 200;
    assertThat(run("start", "--replace", "g.service"))
        .as("somebody else has replaced it, and the former rollout says nothing of that")
        .isEqualTo(new Ran(0, "Triggered global unit g.service start\n", ""));
    started = 201;
    looks.add(global("forward", "", machine("m1", "starting", "")));
    looks.add(global("cancelled", "user b replaced it", machine("m1", "done", "is active")));
    assertThat(run("start", "--replace", "g.service").err())
        .contains("was cancelled: user b replaced it. All machines get what the unit has now.");
    started = 409;
    assertThat(run("start", "--replace", "g.service").err())
        .isEqualTo("Error starting units: a rollout is under way (HTTP 409)\n");
  }

  @Test
  void whatCannotGoInTurnsIsToBeReplacedAtOnce() throws IOException {
    var _ = Files.writeString(directory.resolve("g.service"), GLOBAL);
    started = 409;
    refusal = "\"all or none\",\"type\":\"not-in-turns\"";
    assertThat(run("start", "--replace", "g.service").err())
        .startsWith("Error starting units: ")
        .endsWith(" (HTTP 409), with --all-at-once\n");
  }

  @Test
  void theCommandEndsOnceTheCanariesAreHealthy() {
    String up = "is active";
    looks.add(rollout("forward", "", unit(1, "starting", ""), unit(2, "waits", up)));
    looks.add(
        rollout("forward", "in other words", unit(1, "done", up), unit(2, "waits", up))
            .replace("\"steps\"", "\"paused\":true,\"steps\"")
            .replace("]}", "],\"awaitsPromotion\":true}"));
    Ran ran = run("rollout", "--canary=1", "web@");
    assertThat(ran)
        .isEqualTo(
            new Ran(
                0,
                """
                Rollout of web@.service has begun.
                Unit web@1.service has the new content and is active
                Rollout of web@.service is paused, as its canaries are healthy. To go on: \
                fleetctl rollout promote web@.service; to revert it: fleetctl rollout undo web@.service
                """,
                ""));
    assertThat(changes.getFirst()).endsWith("\"healthySeconds\":10,\"canaries\":1}");
    assertThat(run("rollout", "promote", "web@").out())
        .isEqualTo("Rollout of web@.service is promoted.\n");
    assertThat(changes.getLast()).isEqualTo("POST /operations/rollout-web@.service/promote");
    assertThat(run("rollout", "--canary=0", "web@").err()).contains("at least 1, not 0");
  }

  @Test
  void theFlagsOfBeforeAreWordsNow() {
    assertThat(run("rollout", "--pause", "web@").out())
        .isEqualTo("Rollout of web@.service is paused.\n");
    assertThat(run("rollout", "--status").out()).isEqualTo("There is no rollout.\n");
    assertThat(run("rollout", "undo", "--pause", "web@").code()).isEqualTo(2);
  }

  @Test
  void itsCourseIsChangedAndTold() {
    assertThat(run("rollout", "pause", "web@").out())
        .isEqualTo("Rollout of web@.service is paused.\n");
    assertThat(run("rollout", "undo", "web@").out())
        .isEqualTo("Rollout of web@.service is being reverted.\n");
    changed = 200;
    assertThat(run("rollout", "resume", "web@").out())
        .isEqualTo("Rollout of web@.service is not paused.\n");
    assertThat(changes)
        .containsExactly(
            "POST /operations/rollout-web@.service/pause",
            "POST /operations/rollout-web@.service/revert",
            "POST /operations/rollout-web@.service/resume");
  }

  @Test
  void theStateIsToldOfAllAndOfOne() {
    assertThat(run("rollout", "status").out()).isEqualTo("There is no rollout.\n");
    Ran none = run("rollout", "status", "web@");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).contains("there is no rollout of web@.service");
    looks.add(rollout("back", "user b asked for it", unit(1, "waits", "is active on machine m1")));
    String line =
        "Rollout of web@.service, begun by user a at "
            + LocalTimes.of("2026-01-01T00:00:00Z")
            + ", is being reverted: user b asked for it.\n";
    assertThat(run("rollout", "status", "web@").out())
        .isEqualTo(line + "  waits    web@1.service is active on machine m1\n");
    assertThat(run("rollout", "status").out()).isEqualTo(line);
  }

  @Test
  void withoutWaitingItReturnsAtOnceAndWithALimitThen() {
    looks.add(rollout("forward", "", unit(1, "starting", "is being started on machine m1")));
    assertThat(run("rollout", "--no-block", "web@").code()).isZero();
    Ran ran = run("rollout", "--block-attempts=1", "web@");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("Timed out: unit web@1.service is being started on machine m1", "continues");
    started = 200;
    assertThat(run("rollout", "web@"))
        .isEqualTo(
            new Ran(0, "All of web@.service already have this version: nothing to do.\n", ""));
  }

  @Test
  void wrongUseIsRefused() {
    assertThat(run("rollout").code()).isEqualTo(2);
    assertThat(run("rollout", "a", "b").code()).isEqualTo(2);
    assertThat(run("rollout", "--pause", "--back", "web@").err())
        .contains("name one of pause, resume, undo");
    assertThat(run("rollout", "--max-unavailable=0", "web@").err()).contains("at least 1, not 0");
    assertThat(run("rollout", "--healthy=-1", "web@").err())
        .contains("'-1' is not a duration: write one such as");
    Ran instance = run("rollout", "web@1");
    assertThat(instance.code()).isEqualTo(2);
    assertThat(instance.err()).contains("is an instance: roll out its template, web@.service");
    assertThat(run("rollout", "none@").err()).contains("there is no file", "none@.service");
    assertThat(changes).isEmpty();
  }
}
