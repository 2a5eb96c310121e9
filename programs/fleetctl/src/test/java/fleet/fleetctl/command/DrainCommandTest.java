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

final class DrainCommandTest extends ServedCommandTest {

  private static final String ID = "113f16a7b2c34d5e";
  private static final String OTHER = "2222aaaab2c34d5e";
  private static final String ENDED =
      unit(
          "job.service",
          "exempt",
          ",\"detail\":\"it has ended, and elsewhere it would run again\"");
  private static final String GLOBAL =
      unit("log.service", "exempt", ",\"detail\":\"it runs on every machine that fits\"");
  private static final String DRAINED = "Machine 113f16a7.../10.0.0.3 is drained.\n";

  /** Units that are still there, look by look; the last one stays. */
  private final BlockingQueue<String> looks = new LinkedBlockingQueue<>();

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final List<String> posts = new CopyOnWriteArrayList<>();
  private volatile boolean draining;
  private volatile String active = "active";
  private volatile String unit = "launched";

  /** The states of the machine before its drain. */
  private volatile String beforehand = "";

  private volatile String state = "draining";

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    String path = request.path();
    if (path.endsWith("/drain") || path.contains("/operations")) {
      return drain(request, out);
    }
    if (path.endsWith("/events")) {
      FakeHttpServer.beginChunks(out, "Content-Type: text/event-stream");
      FakeHttpServer.chunk(out, "event: start\nid: 1\n\n");
      return happen(out);
    }
    if (request.target().contains("machineID=")) {
      return FakeHttpServer.reply(out, 200, "{\"states\":[" + beforehand + "]}");
    }
    String body =
        switch (path.substring(path.lastIndexOf('/') + 1)) {
          case "machines" ->
              "{\"machines\":[{\"id\":\"%s\",\"primaryIP\":\"10.0.0.3\"%s},{\"id\":\"%s\"}]}"
                  .formatted(
                      ID,
                      draining
                          ? ",\"cordoned\":true,\"drain\":{\"by\":\"user a\",\"maxUnavailable\":1},\"state\":\""
                              + state
                              + "\""
                          : "",
                      OTHER);
          case "units" ->
              unit.isEmpty()
                  ? "{}"
                  : ("{\"units\":[{\"name\":\"web.service\",\"desiredState\":\"%s\",\"machineID\":\"%s\","
                          + "\"restartCounter\":1}]}")
                      .formatted(unit, OTHER);
          case "state" ->
              "{\"states\":[{\"name\":\"web.service\",\"machineID\":\"%s\",\"systemdActiveState\":\"%s\","
                      .formatted(OTHER, active)
                  + "\"systemdLoadState\":\"loaded\",\"performed\":\"launched\",\"restartCounter\":1}]}";
          default -> "{}";
        };
    return FakeHttpServer.reply(out, 200, body);
  }

  private boolean drain(Request request, OutputStream out) throws IOException {
    if (request.method().equals("POST")) {
      posts.add(request.target());
      boolean before = draining;
      draining = true;
      return FakeHttpServer.reply(out, before ? 200 : 204, "");
    }
    if (!draining) {
      return FakeHttpServer.reply(
          out, 404, "{\"error\":{\"code\":404,\"message\":\"there is no operation drain-m1\"}}");
    }
    String look = Objects.requireNonNullElse(looks.poll(), "");
    if (look.equals("uncordoned")) {
      draining = false;
    }
    events.add("state");
    return FakeHttpServer.reply(
        out,
        200,
        ("{\"id\":\"drain-%s\",\"kind\":\"drain\",\"by\":\"user a\",\"stage\":\"forward\","
                + "\"maxUnavailable\":1,\"steps\":[%s]}")
            .formatted(ID, look));
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

  private static String unit(String name, String standing, String more) {
    return "{\"unit\":\"%s\",\"standing\":\"%s\",\"from\":\"%s\"%s}"
        .formatted(name, standing, ID, more);
  }

  @Test
  void eachStepIsTold() {
    looks.add(unit("web.service", "next", ",\"to\":\"" + OTHER + "\""));
    looks.add(unit("web.service", "leaving", ",\"to\":\"" + OTHER + "\""));
    looks.add(unit("web.service", "leaving", ",\"to\":\"" + OTHER + "\""));
    assertThat(run("drain", "113f", "--max-unavailable=3"))
        .isEqualTo(
            new Ran(
                0,
                """
                Machine 113f16a7.../10.0.0.3 is now being drained.
                Unit web.service is being stopped on 113f16a7.../10.0.0.3, to go to 2222aaaa...
                Unit web.service launched on 2222aaaa...
                """
                    + DRAINED,
                ""));
    assertThat(posts).containsExactly("/fleet/v1/machines/" + ID + "/drain?maxUnavailable=3");
  }

  @Test
  void whatIsActiveElsewhereIsToldBeforeTheNextOneLeaves() {
    looks.add(unit("web.service", "leaving", "") + "," + unit("web@2.service", "waits", ""));
    looks.add(unit("web@2.service", "leaving", ""));
    looks.add(unit("web@2.service", "stays", ",\"detail\":\"no room\""));
    assertThat(run("drain", ID).out())
        .isEqualTo(
            """
            Machine 113f16a7.../10.0.0.3 is now being drained.
            Unit web.service is being stopped on 113f16a7.../10.0.0.3
            Unit web.service launched on 2222aaaa...
            Unit web@2.service is being stopped on 113f16a7.../10.0.0.3
            """);
  }

  @Test
  void whatWasStoppedBetweenTwoLooksIsToldAfterWhatLeftBefore() {
    looks.add(unit("web.service", "waits", "") + "," + unit("web@2.service", "leaving", ""));
    looks.add(GLOBAL);
    assertThat(run("drain", ID).out())
        .isEqualTo(
            """
            Machine 113f16a7.../10.0.0.3 is now being drained.
            Unit web@2.service is being stopped on 113f16a7.../10.0.0.3
            Unit web@2.service was destroyed
            Unit web.service was stopped on 113f16a7.../10.0.0.3
            Unit web.service launched on 2222aaaa...
            Unit log.service stays: it runs on every machine that fits
            """
                + DRAINED);
  }

  @Test
  void whatLeftBeforeTheFirstLookIsTold() {
    beforehand = "{\"name\":\"web.service\",\"machineID\":\"" + ID + "\"}";
    looks.add(unit("web@2.service", "leaving", ""));
    assertThat(run("drain", ID).out())
        .isEqualTo(
            """
            Machine 113f16a7.../10.0.0.3 is now being drained.
            Unit web.service was stopped on 113f16a7.../10.0.0.3
            Unit web.service launched on 2222aaaa...
            Unit web@2.service is being stopped on 113f16a7.../10.0.0.3
            Unit web@2.service was destroyed
            """
                + DRAINED);
  }

  @Test
  void whatStaysIsNamedWithTheReason() {
    looks.add(unit("web.service", "waits", ",\"detail\":\"web@2.service is leaving\""));
    String stay =
        unit("web.service", "stays", ",\"detail\":\"the only other machine lacks region=eu\"")
            + ","
            + ENDED
            + ","
            + GLOBAL;
    looks.add(stay);
    Ran ran = run("drain", ID);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .isEqualTo(
            """
            Machine 113f16a7.../10.0.0.3 is now being drained.
            Unit job.service stays: it has ended, and elsewhere it would run again
            Unit log.service stays: it runs on every machine that fits
            """);
    assertThat(ran.err())
        .contains(
            "Unit web.service stays: the only other machine lacks region=eu\n",
            "is not drained: 1 unit stays; it leaves as soon as there is a place for it.");
  }

  @Test
  void endedAndGlobalUnitsDoNotKeepAMachineFromBeingDrained() {
    looks.add(ENDED + "," + GLOBAL);
    Ran ran = run("drain", ID);
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).endsWith(DRAINED);
  }

  @Test
  void whatFailsElsewhereFailsTheCommand() {
    active = "failed";
    looks.add(unit("web.service", "leaving", ""));
    Ran ran = run("drain", ID);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("unit web.service failed on 2222aaaa...");
  }

  @Test
  void whatIsDestroyedMeanwhileIsGone() {
    unit = "";
    looks.add(unit("web.service", "leaving", ""));
    Ran ran = run("drain", ID);
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("Unit web.service was destroyed\n").endsWith(DRAINED);
  }

  @Test
  void aDrainIsFollowedAgainAsItWasAskedFor() {
    draining = true;
    looks.add("");
    looks.add(unit("web.service", "leaving", ""));
    Ran ran = run("drain", ID);
    assertThat(ran.out())
        .startsWith("Machine 113f16a7.../10.0.0.3 is already being drained.\n")
        .endsWith(DRAINED);
    assertThat(posts).isEmpty();
  }

  @Test
  void aDrainThatIsEndedMeanwhileSaysSo() {
    looks.add(unit("web.service", "leaving", ""));
    looks.add("uncordoned");
    active = "activating";
    Ran ran = run("drain", ID);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("was ended: somebody uncordoned it.");
  }

  @Test
  void withoutWaitingItReturnsAtOnceAndWithALimitThen() {
    active = "activating";
    looks.add(unit("web.service", "leaving", ""));
    assertThat(run("drain", "--no-block", ID).code()).isZero();
    looks.add(unit("web.service", "leaving", ""));
    Ran ran = run("drain", "--max-unavailable=1", "--block-attempts=1", ID);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("Timed out: unit web.service activating", "continues");
  }

  @Test
  void wrongUseIsRefused() {
    assertThat(run("drain").code()).isEqualTo(2);
    assertThat(run("drain", ID, OTHER).code()).isEqualTo(2);
    assertThat(run("drain", "--max-unavailable=0", ID).err()).contains("at least 1, not 0");
    assertThat(run("drain", "--max-unavailable=many", ID).code()).isEqualTo(2);
    assertThat(posts).isEmpty();
  }

  @Test
  void theListOfMachinesSaysWhoIsDrained() {
    draining = true;
    assertThat(run("list-machines").out())
        .contains(
            "Machine 113f16a7... is being drained, as user a asked: its units move to other machines.\n");
    assertThat(run("list-machines", "--no-legend", "--fields=machine,cordoned").out())
        .isEqualTo("113f16a7...\tdrained\n2222aaaa...\t-\n");
    state = "drained";
    assertThat(run("list-machines").out())
        .contains("Machine 113f16a7... is drained, as user a asked: no new units come to it.\n");
  }
}
