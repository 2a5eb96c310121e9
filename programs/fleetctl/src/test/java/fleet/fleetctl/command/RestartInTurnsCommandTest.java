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

/** Restarts of global units, which the cluster carries out. */
final class RestartInTurnsCommandTest extends ServedCommandTest {

  private static final String UP = "is active";
  private static final String WHY = "g.service on machine m1 failed: exit-code";

  /** How far it is, look by look; the last one stays. */
  private final BlockingQueue<String> looks = new LinkedBlockingQueue<>();

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final List<String> changes = new CopyOnWriteArrayList<>();
  private volatile String last = "";
  private volatile int status = 201;
  private volatile String body = "";

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    String path = request.path();
    if (path.endsWith("/events")) {
      FakeHttpServer.beginChunks(out, "Content-Type: text/event-stream");
      FakeHttpServer.chunk(out, "event: start\nid: 1\n\n");
      return happen(out);
    }
    if (request.method().equals("POST")) {
      changes.add(request.target().substring("/fleet/v1".length()));
      return FakeHttpServer.reply(out, status, body);
    }
    if (path.endsWith("/machines")) {
      return FakeHttpServer.reply(out, 200, "{\"machines\":[]}");
    }
    if (path.endsWith("/units")) {
      return FakeHttpServer.reply(
          out, 200, "{\"units\":[" + unit("g.service") + "," + unit("h.service") + "]}");
    }
    if (path.contains("/units/")) {
      return FakeHttpServer.reply(out, 200, unit(path.substring(path.lastIndexOf('/') + 1)));
    }
    last = Objects.requireNonNullElse(looks.poll(), last);
    events.add("state");
    return FakeHttpServer.reply(out, 200, last);
  }

  private static String unit(String name) {
    return "{\"name\":\"%s\",\"desiredState\":\"launched\",\"global\":true,\"incarnation\":\"i1\"}"
        .formatted(name);
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

  private static String restart(String stage, String why, String... machines) {
    return ("{\"id\":\"restart-g.service\",\"kind\":\"restart\",\"subject\":\"g.service\","
            + "\"stage\":\"%s\",\"by\":\"user a\",\"reason\":\"%s\","
            + "\"started\":\"2026-01-01T00:00:00Z\",\"steps\":[%s]}")
        .formatted(stage, why, String.join(",", machines));
  }

  private static String on(String machine, String standing, String how) {
    return "{\"unit\":\"g.service\",\"to\":\"%s\",\"standing\":\"%s\",\"detail\":\"%s\"}"
        .formatted(machine, standing, how);
  }

  @Test
  void eachMachineIsToldInItsTurn() {
    looks.add(restart("forward", "", on("m1", "starting", ""), on("m2", "waits", UP)));
    looks.add(restart("forward", "", on("m1", "done", UP), on("m2", "starting", "")));
    looks.add(restart("done", "", on("m1", "done", UP), on("m2", "done", UP)));

    Ran ran = run("restart", "--max-unavailable=2", "g.service");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).isEqualTo("Triggered global unit g.service restart\n");
    assertThat(ran.err())
        .isEqualTo(
            """
            Unit g.service on m1 was restarted and is active
            Unit g.service on m2 was restarted and is active
            Restart of g.service is done.
            """);
    assertThat(changes).containsExactly("/units/g.service/restart-in-turns?maxUnavailable=2");
  }

  @Test
  void aFailureSaysHowToGoOnAndLeavesOtherUnitsAlone() {
    looks.add(restart("forward", "", on("m1", "starting", ""), on("m2", "waits", UP)));
    looks.add(
        restart("forward", WHY, on("m1", "failed", "failed: exit-code"), on("m2", "waits", UP))
            .replace("\"steps\"", "\"paused\":true,\"steps\""));

    Ran ran = run("restart", "g.service", "h.service");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualTo(
            """
            Unit g.service on m1 failed: exit-code
            Restart of g.service is paused: g.service on machine m1 failed: exit-code (see: fleetctl journal g.service)
            Not restarted on: machine m2
            To go on with the other machines: fleetctl operations resume restart-g.service; to leave them as they are: fleetctl operations cancel restart-g.service
            Not restarted: h.service
            """);
    assertThat(changes).hasSize(1);
  }

  @Test
  void oneThatGoesOnIsFollowedAndItsEndIsTold() {
    status = 202;
    looks.add(restart("done", "", on("m1", "failed", "failed: exit-code"), on("m2", "done", UP)));
    Ran accepted = run("restart", "g.service");
    assertThat(accepted.code()).isEqualTo(1);
    assertThat(accepted.out()).isEqualTo("Restart of g.service is already under way.\n");
    assertThat(accepted.err())
        .endsWith("Restart of g.service is done, and failed on: machine m1\n");
    looks.add(restart("cancelled", "user b stopped the restart", on("m2", "waits", UP)));
    Ran cancelled = run("restart", "g.service");
    assertThat(cancelled.code()).isEqualTo(1);
    assertThat(cancelled.err())
        .isEqualTo(
            """
            Restart of g.service was cancelled: user b stopped the restart
            Not restarted on: machine m2
            """);
  }

  @Test
  void oneThatPeoplePausedIsWaitedFor() {
    looks.add(
        restart("forward", "", on("m1", "waits", UP))
            .replace("\"steps\"", "\"paused\":true,\"steps\""));
    Ran ran = run("restart", "--block-attempts=1", "g.service");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains(
            "Timed out: unit g.service on m1 waits for its turn",
            "continues: run the command again to follow it;"
                + " to end it: fleetctl operations cancel restart-g.service");
  }

  @Test
  void atOnceItIsOneRequest() {
    status = 202;
    Ran ran = run("restart", "--no-block", "g.service");
    assertThat(ran).isEqualTo(new Ran(0, "Triggered global unit g.service restart\n", ""));
    assertThat(changes).containsExactly("/units/g.service/restart");
  }

  @Test
  void anOlderFleetdSaysWhatItCanDo() {
    status = 404;
    Ran ran = run("restart", "g.service");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains(
            "cannot restart a global unit in turns (--all-at-once restarts it everywhere):"
                + " upgrade it");
  }
}
