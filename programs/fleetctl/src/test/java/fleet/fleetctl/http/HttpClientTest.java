package fleet.fleetctl.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.fleetctl.fake.FakeHttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HttpClientTest {

  @TempDir Path directory;

  private static HttpClient client(Endpoint endpoint) {
    return new HttpClient(new Dialer(List.of(endpoint), ClientTlsFiles.NONE), 300_000);
  }

  private HttpClient onSocket() {
    return client(new Endpoint.Unix(directory.resolve("s").toString()));
  }

  private FakeHttpServer server(FakeHttpServer.Handler handler) throws IOException {
    return FakeHttpServer.onSocket(directory.resolve("s"), handler);
  }

  private static String text(HttpAnswer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Test
  void keepsItsConnection() throws IOException {
    try (FakeHttpServer server =
            server((request, out) -> FakeHttpServer.reply(out, 200, request.target()));
        HttpClient client = onSocket()) {
      assertThat(text(client.call(HttpRequest.get("/a")))).isEqualTo("/a");
      assertThat(client.call(HttpRequest.of("DELETE", "/b")).status()).isEqualTo(200);
      assertThat(text(client.call(HttpRequest.get("/c")))).isEqualTo("/c");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void sendsABodyAndHeadersOverTcpBelowABase() throws Exception {
    try (FakeHttpServer server =
            FakeHttpServer.onLoopback((request, out) ->
                FakeHttpServer.reply(
                    out,
                    201,
                    request.method()
                        + " "
                        + request.target()
                        + " "
                        + request.headers().get("content-type")
                        + " "
                        + request.body()));
        HttpClient client =
            client(Endpoint.parse("http://127.0.0.1:" + server.port() + "/base/"))) {
      HttpAnswer answer =
          client.call(HttpRequest.json("PUT", "/x", "{\"ä\":1}".getBytes(StandardCharsets.UTF_8)));

      assertThat(answer.status()).isEqualTo(201);
      assertThat(text(answer)).isEqualTo("PUT /base/x application/json {\"ä\":1}");
    }
  }

  @Test
  void readsChunksAndTheTrailersAfterThem() throws IOException {
    try (FakeHttpServer server =
            server((request, out) -> {
              FakeHttpServer.beginChunks(out);
              FakeHttpServer.chunk(out, "one ");
              FakeHttpServer.chunk(out, "t".repeat(40_000));
              out.write("0\r\nX-End: 7\r\n\r\n".getBytes(StandardCharsets.UTF_8));
              return true;
            });
        HttpClient client = onSocket()) {
      try (HttpAnswer stream = client.open(HttpRequest.get("/"))) {
        assertThat(stream.stream().readAllBytes()).hasSize(40_004);
        assertThat(stream.headerOrTrailer("x-end")).contains("7");
      }
      assertThat(client.call(HttpRequest.get("/")).body()).hasSize(40_004);
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void readsABodyThatEndsWithTheConnection() throws IOException {
    try (FakeHttpServer server =
            server((request, out) -> {
              out.write("HTTP/1.0 200 OK\r\n\r\nall".getBytes(StandardCharsets.UTF_8));
              return false;
            });
        HttpClient client = onSocket()) {
      assertThat(text(client.call(HttpRequest.get("/")))).isEqualTo("all");
      assertThat(text(client.call(HttpRequest.get("/")))).isEqualTo("all");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void readsAgainOverANewConnectionWhereTheServerClosedTheOldOne() throws IOException {
    AtomicInteger requests = new AtomicInteger();
    try (FakeHttpServer server =
            server((request, out) ->
                requests.incrementAndGet() != 2 && FakeHttpServer.reply(out, 200, "ok"));
        HttpClient client = onSocket()) {
      client.call(HttpRequest.get("/"));
      assertThat(text(client.call(HttpRequest.get("/")))).isEqualTo("ok");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void doesNotRepeatWhatMayHaveBeenDone() throws IOException {
    AtomicInteger requests = new AtomicInteger();
    try (FakeHttpServer server =
            server((request, out) ->
                requests.incrementAndGet() != 2 && FakeHttpServer.reply(out, 200, "ok"));
        HttpClient client = onSocket()) {
      client.call(HttpRequest.get("/"));
      assertThatThrownBy(() -> client.call(HttpRequest.of("POST", "/restart")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("closed without an answer");
      assertThat(requests).hasValue(2);
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  /** The server may be about to close one that is kept. */
  @Test
  void whatMustNotBeDoneTwiceHasAConnectionOfItsOwnAndLeavesNone() throws IOException {
    try (FakeHttpServer server =
            server((request, out) -> FakeHttpServer.reply(out, 200, request.target()));
        HttpClient client = onSocket()) {
      client.call(HttpRequest.of("POST", "/restart"));
      client.call(HttpRequest.get("/a"));
      assertThat(server.connections()).isEqualTo(2);
      client.call(HttpRequest.of("POST", "/restart"));
      client.call(HttpRequest.get("/b"));
      assertThat(server.connections()).isEqualTo(3);
    }
  }

  @Test
  void tellsAnAnswerThatIsCutShortFromAWholeOne() throws IOException {
    try (FakeHttpServer server =
            server((request, out) -> {
              out.write(
                  "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"
                      .getBytes(StandardCharsets.UTF_8));
              return false;
            });
        HttpClient client = onSocket()) {
      assertThatThrownBy(() -> client.call(HttpRequest.get("/")))
          .hasMessage("the connection ended in the middle of an answer");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void knowsWhatIsNotHttp() throws IOException {
    try (FakeHttpServer server =
            server((request, out) -> {
              out.write("SSH-2.0-OpenSSH\r\n".getBytes(StandardCharsets.UTF_8));
              return false;
            });
        HttpClient client = onSocket()) {
      assertThatThrownBy(() -> client.call(HttpRequest.get("/")))
          .hasMessage("the answer is not HTTP");
      assertThat(server.connections()).isEqualTo(1);
    }
  }
}
