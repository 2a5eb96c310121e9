package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** {@code fleetctl status} without units. */
final class OverviewTest extends ServedCommandTest {

  private static final String HEALTHY =
      "{\"leader\":\"113f16a7b2c34d5e\",\"machines\":{\"draining\":1,\"ready\":2},"
          + "\"units\":{\"active\":3,\"submitted\":1},\"versions\":{\"2.0.4\":1,\"2.1.0\":2},"
          + "\"store\":{\"kind\":\"embedded\"}}";

  private static final String DEGRADED =
      "{\"machines\":{\"absent\":1,\"awaited\":1,\"lost\":1,\"ready\":1},\"units\":{\"failed\":1,\"waiting\":2},"
          + "\"versions\":{\"2.1.0\":1},\"problems\":["
          + "{\"kind\":\"machine\",\"machineID\":\"9999aaaab2c34d5e\",\"text\":\"lost, with 1 unit\"},"
          + "{\"kind\":\"paused\",\"text\":\"3 of 6 machines vanished at once\"},"
          + "{\"kind\":\"store\",\"name\":\"etcd three\",\"text\":\"does not answer\"},"
          + "{\"kind\":\"failed\",\"unit\":\"app@7.service\",\"machineID\":\"2222aaaab2c34d5e\","
          + "\"text\":\"failed: timed out\",\"since\":\"%s\"},"
          + "{\"kind\":\"waiting\",\"unit\":\"big.service\",\"text\":\"waiting: machine"
          + " 113f16a7b2c34d5e lacks 64G of memory, and machine 2222aaaab2c34d5e is cordoned\"}],"
          + "\"problemCounts\":{\"failed\":1,\"machine\":2,\"paused\":1,\"store\":1,"
          + "\"versions\":1,\"waiting\":2},"
          + "\"operations\":[{\"id\":\"drain-2222aaaab2c34d5e\",\"kind\":\"drain\","
          + "\"subject\":\"2222aaaab2c34d5e\",\"started\":\"%s\",\"stage\":\"forward\",\"left\":12},"
          + "{\"id\":\"rollout-web@.service\",\"kind\":\"rollout\",\"subject\":\"web@.service\","
          + "\"started\":\"%s\",\"stage\":\"forward\",\"paused\":true}],"
          + "\"store\":{\"kind\":\"etcd\",\"members\":[{\"name\":\"one\"},"
          + "{\"name\":\"three\",\"problem\":\"does not answer\"}]}}";

  private String answer = HEALTHY;

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    if (request.path().endsWith("/machines")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"machines\":[{\"id\":\"113f16a7b2c34d5e\",\"primaryIP\":\"10.0.0.3\","
              + "\"hostname\":\"node1\",\"version\":\"2.1.0\"},"
              + "{\"id\":\"2222aaaab2c34d5e\",\"hostname\":\"node2\",\"version\":\"2.0.4\"},"
              + "{\"id\":\"3333bbbbb2c34d5e\",\"hostname\":\"node3\",\"version\":\"2.0.4\","
              + "\"state\":\"lost\",\"since\":\"2026-01-01T00:00:00Z\"}]}");
    }
    boolean known = !answer.isEmpty() && request.path().endsWith("/overview");
    return FakeHttpServer.reply(out, known ? 200 : 404, known ? answer : "");
  }

  @Test
  void aHealthyClusterIsAFewLinesAndExits0() {
    assertThat(run("status"))
        .isEqualTo(
            new Ran(
                0,
                """
                Cluster is healthy
                  Leader    node1, store embedded
                  Machines  2 ready, 1 draining
                  Units     4: 3 active, 1 submitted
                  Versions  2.1.0 on 2 machines, 2.0.4 on node2
                """,
                ""));
  }

  @Test
  void whoeverMayNotSeeAllIsNotToldThatAllIsHealthy() {
    answer = "{\"machines\":{\"ready\":1},\"versions\":{\"2.1.0\":1}}";
    assertThat(run("status").out())
        .startsWith("The part of the cluster that you may see is healthy\n  Leader    not known\n");
  }

  @Test
  void theFirstLineSumsUpTheProblemsThatFollowAndTheExitCodeIs1() {
    String then = Instant.now().minusSeconds(200).toString();
    answer = DEGRADED.formatted(then, then, then);
    assertThat(run("status"))
        .isEqualTo(
            new Ran(
                1,
                """
                Cluster is degraded: 1 unit failed, 2 units wait, 1 machine is lost, \
                1 machine is awaited, rescheduling is paused, the store is not healthy, versions are too far apart
                  Leader    not known, store etcd: 1 of 2 members healthy
                  Machines  1 absent, 1 awaited, 1 lost, 1 ready
                  Units     3: 2 waiting, 1 failed
                  Versions  2.1.0 on node1
                Problems:
                  9999aaaa...    -      -   lost, with 1 unit
                  cluster        -      -   3 of 6 machines vanished at once
                  etcd three     -      -   does not answer
                  app@7.service  node2  3m  failed: timed out
                  big.service    -      -   waiting: machine node1 lacks 64G of memory, \
                and machine node2 is cordoned
                  and 3 more
                Operations:
                  drain-node2: forward, 3m, 12 left
                  rollout-web@.service: paused, 3m
                """,
                ""));
  }

  @Test
  void onATerminalNoLineIsLongerThanThat() {
    String then = Instant.now().toString();
    answer = DEGRADED.formatted(then, then, then);
    String shown = terminal().ofSize(24, 80).run("status").out();
    assertThat(shown)
        .contains(
            "  big.service    -      -   waiting: machine node1 lacks 64G of memory, and\n"
                + " ".repeat(28)
                + "machine node2 is cordoned\n");
    assertThat(shown.lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void asJsonItIsTheAnswerOfTheApi() {
    assertThat(run("status", "-o", "json")).isEqualTo(new Ran(0, HEALTHY + "\n", ""));
  }

  @Test
  void anOlderFleetdIsNamed() {
    answer = "";
    Ran old = run("status");
    assertThat(old.code()).isEqualTo(1);
    assertThat(old.err()).contains("too old to show an overview: upgrade it");
  }
}
