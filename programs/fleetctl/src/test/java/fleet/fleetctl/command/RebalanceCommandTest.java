package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

final class RebalanceCommandTest extends ServedCommandTest {

  private static final String ID = "113f16a7b2c34d5e";
  private static final String OTHER = "2222aaaab2c34d5e";
  private static final String NEVER =
      "{\"error\":{\"code\":404,\"message\":\"there is no operation rebalance\"}}";
  private static final String OVER = "The rebalance is over: machines have 2 to 3 units each.\n";
  private static final String TO_MOVE =
      """
      Unit web.service will move from 113f16a7.../10.0.0.3 to 2222aaaa...
      1 unit will move.
      """;

  /** How far it is, look by look; the last one stays. */
  private final BlockingQueue<String> looks = new LinkedBlockingQueue<>();

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile String last = NEVER;
  private volatile String start = "";
  private volatile int status = 201;
  private volatile String plan = "{}";
  private volatile String active = "active";

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    String path = request.path();
    if (path.contains("/rebalance")) {
      return rebalance(request, out);
    }
    if (path.endsWith("/plan")) {
      asked.add(request.body());
      return FakeHttpServer.reply(out, 200, plan);
    }
    if (path.endsWith("/events")) {
      asked.add(request.target());
      FakeHttpServer.beginChunks(out, "Content-Type: text/event-stream");
      FakeHttpServer.chunk(out, "event: start\nid: 1\n\n");
      return happen(out);
    }
    String body =
        switch (path.substring(path.lastIndexOf('/') + 1)) {
          case "machines" ->
              "{\"machines\":[{\"id\":\"%s\",\"primaryIP\":\"10.0.0.3\"},{\"id\":\"%s\"}]}"
                  .formatted(ID, OTHER);
          case "units" ->
              "{\"units\":[%s,%s]}".formatted(unit("web.service"), unit("after.service"));
          case "state" ->
              "{\"states\":[%s,%s]}"
                  .formatted(
                      state("web.service", active),
                      state("after.service", looks.isEmpty() ? "active" : "activating"));
          default -> "{}";
        };
    return FakeHttpServer.reply(out, 200, body);
  }

  private static String unit(String name) {
    return "{\"name\":\"%s\",\"desiredState\":\"launched\",\"machineID\":\"%s\",\"restartCounter\":1}"
        .formatted(name, OTHER);
  }

  private static String state(String name, String active) {
    return ("{\"name\":\"%s\",\"machineID\":\"%s\",\"systemdActiveState\":\"%s\","
            + "\"systemdLoadState\":\"loaded\",\"performed\":\"launched\",\"restartCounter\":1}")
        .formatted(name, OTHER, active);
  }

  private boolean rebalance(Request request, OutputStream out) throws IOException {
    return switch (request.method()) {
      case "POST" -> {
        if (request.path().endsWith("/cancel")) {
          boolean none = last.equals(NEVER);
          yield FakeHttpServer.reply(out, none ? 404 : 204, none ? NEVER : "");
        }
        asked.add(request.target());
        yield FakeHttpServer.reply(out, status, start);
      }
      default -> {
        last = Objects.requireNonNullElse(looks.poll(), last);
        events.add("state");
        yield FakeHttpServer.reply(out, last.equals(NEVER) ? 404 : 200, last);
      }
    };
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

  private static String look(String standing, String more, boolean ended) {
    return ("{\"id\":\"rebalance\",\"by\":\"user a\",\"stage\":\"%s\",\"maxUnavailable\":1,%s"
            + "\"steps\":[{\"unit\":\"web.service\",\"from\":\"%s\",\"to\":\"%s\",\"standing\":\"%s\"%s}]}")
        .formatted(
            ended ? "done" : "forward",
            ended ? "\"reason\":\"machines have 2 to 3 units each\"," : "",
            ID,
            OTHER,
            standing,
            more);
  }

  private void begins() {
    start = look("next", "", false);
    looks.add(NEVER);
  }

  @Test
  void whatIsToMoveIsSaidAndThenEachStep() {
    begins();
    looks.add(look("next", "", false));
    looks.add(look("waits", ",\"reason\":\"web@2.service is leaving\"", false));
    looks.add(look("leaving", "", false));
    looks.add(look("done", "", false));
    looks.add(look("done", "", true));
    assertThat(run("rebalance"))
        .isEqualTo(
            new Ran(
                0,
                TO_MOVE
                    + """
                    Unit web.service is being stopped on 113f16a7.../10.0.0.3, to go to 2222aaaa...
                    Unit web.service launched on 2222aaaa...
                    """
                    + OVER,
                ""));
    assertThat(asked.getFirst()).isEqualTo("/fleet/v1/rebalance?within=1&maxUnavailable=1");
    assertThat(asked.get(1)).contains("event=operation");
  }

  @Test
  void whatLeftBetweenTwoLooksIsTold() {
    begins();
    // With options, it is fleetd that says whether there is another.
    looks.clear();
    looks.add(look("done", "", true));
    assertThat(run("rebalance", "--within=2", "--moves=3", "--max-unavailable=4").out())
        .isEqualTo(
            TO_MOVE
                + """
                Unit web.service was stopped on 113f16a7.../10.0.0.3
                Unit web.service launched on 2222aaaa...
                """
                + OVER);
    assertThat(asked.getFirst()).isEqualTo("/fleet/v1/rebalance?within=2&maxUnavailable=4&moves=3");
  }

  @Test
  void whatHasArrivedIsToldBeforeWhatWaitedForIt() {
    begins();
    String after =
        "{\"unit\":\"after.service\",\"from\":\"%s\",\"standing\":\"done\"},".formatted(ID);
    looks.add(look("done", "", false).replace("[", "[" + after));
    looks.add(look("done", "", true).replace("[", "[" + after));
    String[] steps = run("rebalance").out().lines().skip(2).toArray(String[]::new);
    assertThat(steps[0]).startsWith("Unit web.service was stopped on ");
    assertThat(steps[1]).startsWith("Unit web.service launched on ");
    assertThat(steps[2]).startsWith("Unit after.service was stopped on ");
    assertThat(steps[3]).startsWith("Unit after.service launched on ");
  }

  @Test
  void thatMoreWouldBeNeededIsSaid() {
    start =
        look("next", "", false).replace("\"steps\"", "\"reason\":\"more are needed\",\"steps\"");
    assertThat(run("rebalance", "--moves=1", "--no-block").out())
        .endsWith("\n1 unit will move, which does not reach the bound: more are needed.\n");
  }

  @Test
  void whatStaysFailsTheCommandAndIsNamedAtTheEnd() {
    begins();
    looks.add(look("stays", ",\"detail\":\"machine m2 is cordoned\"", false));
    looks.add(look("stays", ",\"detail\":\"machine m2 is cordoned\"", true));
    Ran ran = run("rebalance");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualTo(
            """
            Unit web.service stayed: machine m2 is cordoned
            The rebalance is over, and 1 unit has not moved: machines have 2 to 3 units each.
            """);
  }

  @Test
  void whatFailsWhereItWentFailsTheCommand() {
    active = "failed";
    begins();
    looks.add(look("done", "", true));
    Ran ran = run("rebalance");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("unit web.service failed on 2222aaaa...");
  }

  @Test
  void oneThatIsUnderWayIsFollowedAndWhatIsOverIsNotToldAgain() {
    looks.add(look("done", "", false));
    looks.add(look("done", "", false));
    looks.add(look("done", "", true));
    Ran ran = run("rebalance");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .isEqualTo("A rebalance that user a asked for is already under way.\n" + OVER);
    assertThat(asked).noneMatch(target -> target.contains("within"));
  }

  @Test
  void whereNothingIsToMoveThatIsSaidAndSoIsWhyItCannotBe() {
    looks.add(look("done", "", true));
    status = 200;
    start = "{\"reason\":\"machines have 2 units each\"}";
    assertThat(run("rebalance"))
        .isEqualTo(new Ran(0, "Nothing moves: machines have 2 units each.\n", ""));
    status = 409;
    start =
        "{\"error\":{\"code\":409,\"message\":\"a rebalance that user a asked for is under way\"}}";
    Ran ran = run("rebalance", "--moves=2");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("a rebalance that user a asked for is under way");
  }

  @Test
  void withoutWaitingItReturnsAtOnceAndWithALimitThen() {
    begins();
    looks.add(look("leaving", "", false));
    assertThat(run("rebalance", "--no-block")).isEqualTo(new Ran(0, TO_MOVE, ""));
    Ran ran = run("rebalance", "--block-attempts=1");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains(
            "Timed out: unit web.service is being stopped on 113f16a7.../10.0.0.3",
            "The rebalance continues: run \"fleetctl rebalance\" again to follow it");
  }

  @Test
  void aPlanSaysWhatWouldMoveAndHowEvenThatIs() {
    plan =
        ("{\"changes\":[{\"name\":\"web.service\",\"change\":\"moved\",\"from\":\"%s\",\"to\":\"%s\","
                + "\"reason\":\"leaves 4 units for 0\"}],\"evening\":{\"before\":{\"least\":0,"
                + "\"most\":4},\"after\":{\"least\":1,\"most\":3},"
                + "\"rest\":\"more moves would be needed\"}}")
            .formatted(ID, OTHER);
    String text =
        """
        Unit web.service would move from 113f16a7.../10.0.0.3 to 2222aaaa...: leaves 4 units for 0
        Machines have 0 to 4 units each, and would have 1 to 3 units each: more moves would be needed.
        """;
    assertThat(run("rebalance", "--plan", "--moves=1", "--max-unavailable=2"))
        .isEqualTo(new Ran(3, text, ""));
    assertThat(run("plan", "rebalance", "--within=2")).isEqualTo(new Ran(3, text, ""));
    assertThat(asked)
        .containsExactly(
            "{\"maxUnavailable\":2,\"rebalance\":{\"moves\":1}}",
            "{\"maxUnavailable\":1,\"rebalance\":{\"within\":2}}");
    plan = "{\"evening\":{\"before\":{\"least\":1,\"most\":1},\"after\":{\"least\":1,\"most\":1}}}";
    assertThat(run("rebalance", "--plan"))
        .isEqualTo(new Ran(0, "Nothing would change.\nMachines have 1 unit each.\n", ""));
  }

  @Test
  void itIsStopped() {
    assertThat(run("rebalance", "--stop"))
        .isEqualTo(new Ran(0, "No rebalance is under way.\n", ""));
    last = look("leaving", "", false);
    assertThat(run("rebalance", "--stop").out())
        .isEqualTo("The rebalance is stopped: units that have left still go to their places.\n");
  }

  @Test
  void wrongUseIsRefused() {
    for (String option : List.of("--within", "--moves", "--max-unavailable")) {
      assertThat(run("rebalance", option + "=0").err())
          .contains(option + " must be at least 1, not 0");
      assertThat(run("rebalance", option + "=many").code()).isEqualTo(2);
    }
    assertThat(run("rebalance", ID).code()).isEqualTo(2);
    assertThat(run("rebalance", "--stop", "--plan").code()).isEqualTo(2);
    assertThat(run("rebalance", "--stop", "--moves=3").code()).isEqualTo(2);
    assertThat(run("plan", "rebalance", ID).code()).isEqualTo(2);
    assertThat(run("plan", "drain", ID, "--within=2").code()).isEqualTo(2);
    assertThat(asked).isEmpty();
  }
}
