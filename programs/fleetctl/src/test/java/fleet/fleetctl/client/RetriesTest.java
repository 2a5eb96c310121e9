package fleet.fleetctl.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Handler;
import fleet.fleetctl.http.ClientTlsFiles;
import fleet.fleetctl.http.Dialer;
import fleet.fleetctl.http.Endpoint;
import fleet.fleetctl.http.HttpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fleetd that goes away in the middle of a command. */
class RetriesTest {

  private static final Handler BREAK = (request, out) -> false;
  private static final Handler GONE =
      (request, out) ->
          FakeHttpServer.reply(out, 404, "{\"error\":{\"code\":404,\"message\":\"no unit\"}}");
  private static final Handler DONE = (request, out) -> FakeHttpServer.reply(out, 204, "");
  private static final Handler NONE =
      (request, out) -> FakeHttpServer.reply(out, 200, "{\"machines\":[]}");

  private static final String WAITS = "fleetd waits for etcd at http://10.0.0.1:2379, since 9:26";
  private static final Handler STARTING =
      (request, out) ->
          FakeHttpServer.reply(
              out,
              503,
              "{\"error\":{\"code\":503,\"message\":\"%s\"}}".formatted(WAITS),
              "Retry-After: 1");

  @TempDir Path directory;

  private final BlockingQueue<Handler> answers = new LinkedBlockingQueue<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> notices = new CopyOnWriteArrayList<>();
  private FakeHttpServer server;
  private FleetClient client;
  private Act onceMissed = () -> {};

  private interface Act {
    void act() throws IOException;
  }

  @BeforeEach
  void listen() throws Exception {
    server = start();
    Endpoint endpoint = Endpoint.parse("unix://" + directory.resolve("fleet.sock"));
    client =
        new FleetClient(
            new HttpClient(new Dialer(List.of(endpoint), ClientTlsFiles.NONE), 300_000),
            line -> {},
            this::missed);
  }

  private void missed(String line) {
    notices.add(line);
    try {
      onceMissed.act();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FakeHttpServer start() throws IOException {
    return FakeHttpServer.onSocket(
        directory.resolve("fleet.sock"),
        (request, out) -> {
          asked.add(request.method());
          return answers.remove().handle(request, out);
        });
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void aReadIsTriedAgainAndSaidSoOnce() throws Exception {
    answers.addAll(List.of(BREAK, BREAK, NONE));

    assertThat(client.machines().list()).isEmpty();

    assertThat(asked).containsExactly("GET", "GET", "GET");
    assertThat(notices)
        .containsExactly(
            "fleetd at "
                + directory.resolve("fleet.sock")
                + ": the connection was closed without an answer; trying again for 10 s");
  }

  @Test
  void whoWasThereIsWaitedFor() throws Exception {
    answers.addAll(List.of(NONE, BREAK));
    assertThat(client.machines().list()).isEmpty();
    server.close();
    // Not beside it: a busy machine may take longer for a thread than fleetctl waits.
    onceMissed =
        () -> {
          answers.clear();
          answers.add(NONE);
          server = start();
        };

    assertThat(client.machines().list()).isEmpty();

    assertThat(notices).hasSize(1);
  }

  @Test
  void whoSaysThatItStillWaitsIsWaitedForWithWhy() throws Exception {
    answers.addAll(List.of(STARTING, STARTING, DONE));

    var _ = client.restart("a.service");

    assertThat(asked).as("none was done before").containsExactly("POST", "POST", "POST");
    assertThat(notices)
        .containsExactly(
            "fleetd at " + directory.resolve("fleet.sock") + ": " + WAITS + "; waiting with it");
  }

  @Test
  void whoeverOnlyLooksWaitsToo() throws Exception {
    answers.addAll(List.of(STARTING, NONE));

    assertThat(client.evenIfStale().machines().list()).isEmpty();

    assertThat(notices).hasSize(1);
  }

  @Test
  void whoSaysThatItCannotStartIsBelievedAtOnceWithItsReasonAlone() {
    String why = "fleetd on this machine cannot start: x; correct it";
    Handler refusal =
        (request, out) ->
            FakeHttpServer.reply(
                out,
                503,
                "{\"error\":{\"code\":503,\"message\":\"%s\"}}".formatted(why),
                "Fleet-Refused: 1");
    // The first break is of the connection that was kept, which is replaced without a word.
    answers.addAll(List.of(refusal, BREAK, BREAK, refusal));

    assertThatThrownBy(client.machines()::list).isInstanceOf(ApiException.class).hasMessage(why);
    assertThat(asked).hasSize(1);
    assertThat(notices).isEmpty();

    assertThatThrownBy(client.machines()::list).as("also if it was there before").hasMessage(why);
    assertThat(asked).hasSize(4);
  }

  @Test
  void whoWasNeverThereIsNotWaitedFor() throws IOException {
    server.close();

    assertThatThrownBy(client.machines()::list)
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("is fleetd running?");

    assertThat(notices).isEmpty();
  }

  @Test
  void whatAnAttemptBeforeHasRemovedWasThere() throws Exception {
    answers.addAll(List.of(BREAK, GONE, GONE));

    assertThat(client.destroy("a.service")).isTrue();
    assertThat(client.destroy("a.service")).isFalse();
  }

  @Test
  void soWereATokenAndAGrant() throws Exception {
    answers.addAll(List.of(BREAK, GONE, BREAK, GONE));

    assertThat(client.machines().revokeToken("5a1f03c2")).isTrue();
    assertThat(client.access().revoke("alice")).isTrue();
  }

  @Test
  void aRestartIsNotDoneTwice() {
    answers.addAll(List.of(BREAK, DONE));

    assertThatThrownBy(() -> client.restart("a.service"))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("whether fleetd did what was asked is not known");
    assertThat(asked).containsExactly("POST");
  }
}
