package fleet.fleetctl.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.fleetctl.http.ClientTlsFiles;
import fleet.fleetctl.http.Dialer;
import fleet.fleetctl.http.Endpoint;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpClient;
import fleet.fleetctl.http.HttpRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A browser at the port of the dashboard, and the fleetd behind it. */
class DashboardServerTest {

  private static final long LIMIT_MILLIS = 3_600_000;

  @TempDir Path directory;

  private final List<Request> passedOn = Collections.synchronizedList(new ArrayList<>());
  private FakeHttpServer fleetd;
  private HttpClient way;
  private DashboardServer dashboard;
  private HttpClient browser;

  private FakeHttpServer.Handler handler =
      (request, out) ->
          FakeHttpServer.reply(out, 200, request.method() + " " + request.target(), "X-Own: yes");

  @BeforeEach
  void begin() throws Exception {
    Path socket = directory.resolve("fleet.sock");
    fleetd = FakeHttpServer.onSocket(socket, this::answer);
    way = client("unix://" + socket);
    FleetClient client = new FleetClient(way, _ -> {}, _ -> {});
    dashboard = new DashboardServer(client, 0);
    browser = client("http://127.0.0.1:" + port());
  }

  @AfterEach
  void end() throws IOException {
    browser.close();
    dashboard.close();
    way.close();
    fleetd.close();
  }

  private static HttpClient client(String endpoint) throws Exception {
    return new HttpClient(
        new Dialer(List.of(Endpoint.parse(endpoint)), new ClientTlsFiles("", "", "")),
        LIMIT_MILLIS);
  }

  private boolean answer(Request request, OutputStream out) throws IOException {
    passedOn.add(request);
    return handler.handle(request, out);
  }

  private int port() {
    return URI.create(dashboard.link()).getPort();
  }

  private HttpRequest byLink() {
    URI link = URI.create(dashboard.link());
    return HttpRequest.get(link.getRawPath() + "?" + link.getRawQuery());
  }

  /** Opens the link, as the browser that the cookie is for. */
  private String login() throws IOException {
    String cookie = browser.call(byLink()).header("set-cookie").orElseThrow();
    return "Cookie: other=1; " + cookie.split(";", 2)[0];
  }

  private static String text(HttpAnswer answer) {
    return new String(answer.body(), UTF_8);
  }

  // ---- who gets in

  @Test
  void aWarmUpReachesFleetdAndLeavesTheLinkToTheBrowser() throws IOException {
    dashboard.warmUp();
    assertThat(passedOn).extracting(Request::target).containsExactly("/");
    assertThat(browser.call(byLink()).status()).isEqualTo(303);
  }

  @Test
  void theLinkGivesACookieOnce() throws IOException {
    HttpAnswer first = browser.call(byLink());
    assertThat(first.status()).isEqualTo(303);
    assertThat(first.header("location")).contains("/");
    assertThat(first.header("set-cookie").orElseThrow())
        .startsWith("fleet-dashboard-" + port() + "=")
        .endsWith("; Path=/; HttpOnly; SameSite=Strict");
    assertThat(first.header("set-cookie").orElseThrow())
        .doesNotContain(byLink().path().substring("/?key=".length()));

    HttpAnswer second = browser.call(byLink());
    assertThat(second.status()).isEqualTo(403);
    assertThat(second.header("set-cookie")).isEmpty();
    assertThat(text(second)).contains("This link was used before");
    assertThat(passedOn).isEmpty();
  }

  @Test
  void aWrongLinkLeavesTheRightOneUnused() throws IOException {
    assertThat(browser.call(HttpRequest.get("/?key=guessed")).status()).isEqualTo(403);
    assertThat(browser.call(HttpRequest.get(byLink().path() + "x")).status()).isEqualTo(403);
    assertThat(browser.call(HttpRequest.of("POST", byLink().path())).status()).isEqualTo(403);
    assertThat(browser.call(byLink()).status()).isEqualTo(303);
  }

  @Test
  void nobodyGetsInWithoutTheCookie() throws IOException {
    String cookie = login();
    for (HttpRequest request :
        List.of(
            HttpRequest.get("/"),
            HttpRequest.get("/fleet/v1/units"),
            HttpRequest.get("/").with("Cookie: fleet-dashboard-" + port() + "=guessed"),
            HttpRequest.get("/").with(cookie + "x"))) {
      HttpAnswer refused = browser.call(request);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.header("content-type").orElseThrow()).startsWith("text/plain");
      assertThat(text(refused)).isEqualTo("Open the link that fleetctl dashboard has printed.\n");
    }
    assertThat(passedOn).isEmpty();
  }

  /** A page of another port of this address is of the same site to a browser. */
  @Test
  void pagesOfOthersGetNothingThoughTheBrowserSendsTheCookie() throws IOException {
    HttpRequest request = HttpRequest.of("POST", "/fleet/v1/units/a.service/restart").with(login());
    for (String header :
        List.of(
            "Origin: http://127.0.0.1:1",
            "Origin: https://127.0.0.1:" + port(),
            "Origin: null",
            "Sec-Fetch-Site: same-site",
            "Sec-Fetch-Site: cross-site")) {
      assertThat(browser.call(request.with(header)).status()).as(header).isEqualTo(403);
    }
    assertThat(passedOn).isEmpty();
  }

  /** By a name that was made to lead here, a page would be of the same origin. */
  @Test
  void anotherHostIsRefused() throws Exception {
    String cookie = login();
    try (HttpClient other = client("http://localhost:" + port())) {
      assertThat(other.call(HttpRequest.get("/").with(cookie)).status()).isEqualTo(403);
      assertThat(other.call(byLink()).status()).isEqualTo(403);
    }
    HttpRequest twice = HttpRequest.get("/").with(cookie).with("Host: 127.0.0.1:" + port());
    assertThat(browser.call(twice).status()).isNotEqualTo(200);
    assertThat(passedOn).isEmpty();
  }

  // ---- what is passed on

  @Test
  void requestsOfTheDashboardReachFleetd() throws IOException {
    String origin = "Origin: http://127.0.0.1:" + port();
    HttpAnswer answer =
        browser.call(
            HttpRequest.json("PUT", "/fleet/v1/units/a%40b.service?x=1%202", "{}".getBytes(UTF_8))
                .with(login())
                .with(origin)
                .with("Sec-Fetch-Site: same-origin")
                .with("Referer: http://127.0.0.1/")
                .with("Last-Event-ID: 7"));
    assertThat(text(answer)).isEqualTo("PUT /fleet/v1/units/a%40b.service?x=1%202");
    assertThat(answer.header("x-own")).contains("yes");
    Request request = passedOn.getFirst();
    assertThat(request.body()).isEqualTo("{}");
    assertThat(request.headers())
        .containsEntry("host", "domain-sock")
        .containsEntry("content-type", "application/json")
        .containsEntry("last-event-id", "7")
        .doesNotContainKeys("cookie", "origin", "referer", "sec-fetch-site");
  }

  @Test
  void refusalsAndAnswersWithoutBodyComeAsTheyAre() throws IOException {
    String cookie = login();
    handler = (request, out) -> FakeHttpServer.reply(out, 409, "{\"error\":{}}");
    HttpAnswer refused = browser.call(HttpRequest.get("/fleet/v1/x").with(cookie));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(text(refused)).isEqualTo("{\"error\":{}}");

    handler = (request, out) -> FakeHttpServer.reply(out, 204, "");
    assertThat(browser.call(HttpRequest.of("DELETE", "/x").with(cookie)).status()).isEqualTo(204);

    handler =
        (request, out) -> {
          out.write("HTTP/1.1 304 X\r\nETag: \"1\"\r\n\r\n".getBytes(UTF_8));
          return true;
        };
    HttpAnswer same = browser.call(HttpRequest.get("/").with(cookie).with("If-None-Match: \"1\""));
    assertThat(same.status()).isEqualTo(304);
    assertThat(same.header("etag")).contains("\"1\"");
    assertThat(passedOn.getLast().headers()).containsEntry("if-none-match", "\"1\"");
  }

  @Test
  void aConnectionToFleetdServesManyRequests() throws IOException {
    String cookie = login();
    for (int i = 0; i < 5; i++) {
      assertThat(browser.call(HttpRequest.get("/dashboard/main.js").with(cookie)).status())
          .isEqualTo(200);
    }
    // The browser may have an answer, and ask again, before its connection is given back.
    assertThat(fleetd.connections()).isLessThanOrEqualTo(2);
  }

  @Test
  void aStreamComesAsItIsWritten() throws IOException {
    CountDownLatch seen = new CountDownLatch(1);
    handler =
        (request, out) -> {
          FakeHttpServer.beginChunks(out, "Content-Type: text/event-stream");
          FakeHttpServer.chunk(out, "data: 1\n\n");
          await(seen);
          FakeHttpServer.chunk(out, "data: 2\n\n");
          out.write("0\r\n\r\n".getBytes(UTF_8));
          return true;
        };
    HttpRequest request = HttpRequest.get("/fleet/v1/events").with(login());
    try (HttpAnswer stream = browser.open(request)) {
      assertThat(stream.header("content-type")).contains("text/event-stream");
      assertThat(new String(stream.stream().readNBytes(9), UTF_8)).isEqualTo("data: 1\n\n");
      seen.countDown();
      assertThat(new String(stream.stream().readAllBytes(), UTF_8)).isEqualTo("data: 2\n\n");
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void anAnswerThatBreaksOffIsNoWholeOne() throws IOException {
    handler =
        (request, out) -> {
          FakeHttpServer.beginChunks(out);
          FakeHttpServer.chunk(out, "half");
          return false;
        };
    HttpRequest request = HttpRequest.get("/fleet/v1/units").with(login());
    try (HttpAnswer answer = browser.open(request)) {
      assertThatThrownBy(answer.stream()::readAllBytes).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aFleetdThatIsAwayIsTold() throws IOException {
    String cookie = login();
    fleetd.close();
    HttpAnswer answer = browser.call(HttpRequest.get("/fleet/v1/units").with(cookie));
    assertThat(answer.status()).isEqualTo(502);
    assertThat(text(answer))
        .startsWith("{\"error\":{\"code\":502,\"message\":\"")
        .contains("nobody listens on");
    assertThat(answer.header("refresh")).isEmpty();
  }

  @Test
  void aBrowserLoadsThePageAgainThatFleetdDidNotSend() throws IOException {
    String cookie = login();
    handler = (request, out) -> FakeHttpServer.reply(out, 503, "{\"error\":{}}");
    assertThat(browser.call(HttpRequest.get("/").with(cookie)).header("refresh")).contains("2");
    fleetd.close();
    HttpAnswer away = browser.call(HttpRequest.get("/").with(cookie));
    assertThat(away.status()).isEqualTo(502);
    assertThat(away.header("refresh")).contains("2");
  }

  @Test
  void aPageThatIsThereIsNotLoadedAgain() throws IOException {
    assertThat(browser.call(HttpRequest.get("/").with(login())).header("refresh")).isEmpty();
  }

  /** A kept connection of a fleetd that was killed costs no request. */
  @Test
  void aConnectionThatEndedMeanwhileIsOpenedAgain() throws IOException {
    String cookie = login();
    handler =
        (request, out) -> {
          FakeHttpServer.reply(out, 200, "ok");
          return false;
        };
    for (int i = 0; i < 3; i++) {
      assertThat(text(browser.call(HttpRequest.get("/fleet/v1/units").with(cookie))))
          .isEqualTo("ok");
    }
  }
}
