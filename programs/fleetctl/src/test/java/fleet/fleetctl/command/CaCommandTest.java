package fleet.fleetctl.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.AuthoritiesEntity;
import fleet.entities.EntityJson;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.fleetctl.output.LocalTimes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CaCommandTest extends ServedCommandTest {

  private static final String ONE =
      "{\"authorities\":[{\"machines\":3,\"sha256\":\"%s\",\"since\":\"2026-03-01T10:00:00Z\","
              .formatted("ab".repeat(32))
          + "\"standing\":\"current\",\"until\":\"2056-03-01T10:00:00Z\"}],"
          + "\"nextEnd\":\"2026-03-30T10:00:00Z\",\"serverKey\":true%s}";
  private static final String IDLE = ONE.formatted("");

  private final Deque<String> answers = new ArrayDeque<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private static String rotating(String stage, boolean present) {
    String rotation =
        ",\"rotation\":{\"by\":\"user root\",\"finish\":false,\"since\":\"2026-03-02T10:00:00Z\","
            + "\"stage\":\""
            + stage
            + "\",\"until\":\"2026-04-01T10:00:00Z\"},";
    String behind =
        "\"machines\":[{\"awaited\":true,\"ends\":\"2026-03-20T10:00:00Z\",\"machine\":\"m2\","
            + "\"present\":"
            + present
            + ",\"role\":\"agent\"}]";
    return ONE.formatted(rotation + behind);
  }

  @Override
  synchronized boolean handle(Request request, OutputStream out) throws IOException {
    if (request.path().endsWith("/etcd-certificates")) {
      asked.add(request.body());
      return request.body().contains("\"..\"")
          ? FakeHttpServer.reply(
              out, 400, "{\"error\":{\"code\":400,\"message\":\"\\\"..\\\" is neither\"}}")
          : FakeHttpServer.reply(
              out,
              201,
              "{\"authority\":\"a\",\"certificate\":\"c\",\"clientCertificate\":\"cc\","
                  + "\"clientKey\":\"ck\",\"ends\":\"2028-03-01T10:00:00Z\",\"key\":\"k\"}");
    }
    if (!request.path().contains("/ca")) {
      return FakeHttpServer.reply(out, 404, "");
    }
    asked.add(request.method() + " " + request.target());
    String answer = answers.size() > 1 ? answers.poll() : answers.element();
    return FakeHttpServer.reply(out, answer.contains("error") ? 409 : 200, answer);
  }

  @Test
  void oneAuthorityIsInOrder() {
    answers.add(IDLE);
    Ran ran = run("ca", "status");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("abababababababab", "current", "ends " + LocalTimes.of("2026-03-30T10:00:00Z"))
        .doesNotContain("behind");
  }

  @Test
  void whoIsBehindIsNamedAndScriptsCanTell() {
    answers.add(rotating("signing", false));
    Ran ran = run("ca");
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.out())
        .contains(
            "Replaced by user root, since "
                + LocalTimes.of("2026-03-02T10:00:00Z")
                + ": the new authority signs",
            "Machine m2 (agent) is behind and away, its certificate ends "
                + LocalTimes.of("2026-03-20T10:00:00Z"));
  }

  /** With the same exit code. */
  @Test
  void theStatusIsAlsoThereAsTheApiHasIt() throws Exception {
    answers.add(rotating("signing", false));
    Ran ran = run("ca", "status", "--json");
    assertThat(ran.code()).isEqualTo(3);
    assertThat(new EntityJson().read(AuthoritiesEntity.class, ran.out().getBytes(UTF_8)))
        .isEqualTo(
            new EntityJson()
                .read(AuthoritiesEntity.class, rotating("signing", false).getBytes(UTF_8)));
    assertThat(ran.out().lines()).hasSize(1);
    assertThat(run("ca", "rotate", "--json").code()).isEqualTo(2);
    assertThat(asked).containsExactly("GET /fleet/v1/ca");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--json"})
  void withoutAnAuthorityThereIsNoStatus(String how) {
    answers.add("{\"serverKey\":false}");
    Ran ran = how.isEmpty() ? run("ca") : run("ca", "status", how);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("no authority yet");
  }

  @Test
  void aRotationIsFollowedToItsEnd() {
    answers.addAll(
        List.of(
            rotating("introduced", true),
            rotating("introduced", true),
            rotating("signing", true),
            IDLE));
    Ran ran = run("ca", "rotate");
    assertThat(ran.code()).isZero();
    assertThat(asked.getFirst()).isEqualTo("POST /fleet/v1/ca");
    assertThat(ran.out().lines())
        .containsExactly(
            "Machines learn of the new authority.",
            "The new authority signs; machines renew their certificates.",
            "The authority is replaced.");
  }

  @Test
  void machinesThatAreAwayAreNamedAndNotWaitedForHere() {
    answers.add(rotating("signing", false));
    Ran ran = run("ca", "rotate");
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.err()).contains("Machine m2 is away", "ca rotate --finish");
  }

  @Test
  void toFinishIsAskedFor() {
    answers.add(IDLE);
    assertThat(run("ca", "rotate", "--finish", "--no-block").code()).isZero();
    assertThat(asked).containsExactly("POST /fleet/v1/ca?finish=1");
  }

  @Test
  void aRefusalIsTold() {
    answers.add("{\"error\":{\"code\":409,\"message\":\"server.key is not here\"}}");
    Ran ran = run("ca", "rotate");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("server.key is not here");
  }

  @Test
  void filesForEtcdAreWrittenAndKeysAreNobodyElses() throws IOException {
    Path tls = directory.resolve("tls");
    for (int time = 0; time < 2; time++) {
      Ran ran = run("ca", "etcd", "10.0.0.1,one", "10.0.0.2", "--out=tls");
      assertThat(ran.code()).isZero();
      assertThat(ran.out())
          .contains("tls/10.0.0.2, good until " + LocalTimes.of("2028-03-01T10:00:00Z") + ".");
    }

    assertThat(asked).contains("{\"names\":[\"10.0.0.1\",\"one\"]}", "{\"names\":[\"10.0.0.2\"]}");
    assertThat(tls.resolve("10.0.0.1").toFile().list())
        .containsExactlyInAnyOrder(
            "ca.crt", "server.crt", "server.key", "fleetd.crt", "fleetd.key");
    assertThat(tls.resolve("10.0.0.1/server.key")).hasContent("k");
    assertThat(Files.getPosixFilePermissions(tls.resolve("10.0.0.1/server.key"))).hasSize(2);
    assertThat(tls.resolve("10.0.0.1/fleetd.key")).hasContent("ck");
  }

  @Test
  void aNameThatIsNoneWritesNothing() {
    Ran ran = run("ca", "etcd", "..", "--out=tls");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("is neither");
    assertThat(directory.resolve("tls")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ca status --finish | --finish is for rotate",
        "ca rotate now      | unexpected argument: now",
        "ca replace         | expect status, rotate or etcd",
        "ca etcd 10.0.0.1   | expect fleetctl ca etcd",
        "ca etcd --out=x    | expect fleetctl ca etcd",
        "ca status --out=x  | --out is for etcd",
      })
  void wrongCallsAreUsageErrors(String call, String message) {
    Ran ran = run(call.split(" +"));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(message);
  }
}
