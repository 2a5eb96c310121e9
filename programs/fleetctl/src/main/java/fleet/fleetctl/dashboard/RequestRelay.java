package fleet.fleetctl.dashboard;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import fleet.entities.EntityJson;
import fleet.entities.ErrorBodyEntity;
import fleet.entities.ErrorEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * Passes a browser's requests on to fleetd, and the answers back as they come. What only concerns
 * the browser and fleetctl, such as cookies, stays here: to fleetd, fleetctl asks.
 */
final class RequestRelay {

  /** The limit of fleetd. */
  private static final int LARGEST_BODY = 2 << 20;

  private static final int BUFFER = 16 << 10;

  private static final String RELOAD_SECONDS = "2";

  private static final List<String> PASSED_ON =
      List.of("Accept", "Accept-Encoding", "Content-Type", "If-None-Match", "Last-Event-ID");

  /** Headers of one connection: the browser has another. */
  private static final Set<String> KEPT_BACK =
      Set.of("connection", "content-length", "date", "keep-alive", "trailer", "transfer-encoding");

  private final FleetClient client;
  private final EntityJson json = new EntityJson();

  RequestRelay(FleetClient client) {
    this.client = client;
  }

  void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
    if (body.length > LARGEST_BODY) {
      refuse(exchange, 413, "request body is too large");
      return;
    }
    HttpAnswer answer;
    try {
      answer = client.relay(request(exchange, body));
    } catch (IOException e) {
      refuse(exchange, 502, "fleetd at " + client.endpoint() + ": " + e.getMessage());
      return;
    }
    try {
      copy(answer, exchange);
    } catch (IOException | RuntimeException e) {
      answer.close();
      throw e;
    }
    client.giveBack(answer);
  }

  private static HttpRequest request(HttpExchange exchange, byte[] body) {
    HttpRequest request =
        HttpRequest.of(exchange.getRequestMethod(), target(exchange.getRequestURI()))
            .withBody(body);
    for (String name : PASSED_ON) {
      for (String value : exchange.getRequestHeaders().getOrDefault(name, List.of())) {
        request = request.with(name + ": " + value);
      }
    }
    return request;
  }

  /** Path and query, escaped as they came. */
  private static String target(URI uri) {
    return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
  }

  private void copy(HttpAnswer answer, HttpExchange exchange) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    answer
        .headers()
        .forEach((name, value) -> {
          if (!KEPT_BACK.contains(name)) {
            headers.set(name, value);
          }
        });
    if (exchange.getRequestMethod().equals("HEAD")) {
      answer.header("content-length").ifPresent(length -> headers.set("Content-Length", length));
    }
    loadAgainAfter(answer.status(), exchange);
    long length = length(answer, exchange);
    exchange.sendResponseHeaders(answer.status(), length);
    if (length >= 0) {
      copy(answer.stream(), exchange.getResponseBody());
    }
  }

  /** As {@link HttpExchange#sendResponseHeaders} takes it: -1 for no body, 0 for an unknown end. */
  private static long length(HttpAnswer answer, HttpExchange exchange) {
    boolean isEmpty =
        exchange.getRequestMethod().equals("HEAD")
            || answer.status() == 204
            || answer.status() == 304;
    if (isEmpty) {
      return -1;
    }
    long length = answer.header("content-length").map(Long::parseLong).orElse(0L);
    return length == 0 && answer.header("content-length").isPresent() ? -1 : length;
  }

  /** Each piece goes out at once: what follows may take long. */
  private static void copy(InputStream from, OutputStream to) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
      to.write(buffer, 0, count);
      to.flush();
    }
  }

  /** A browser that gets no page has no script that asks again. */
  private static void loadAgainAfter(int status, HttpExchange exchange) {
    if (status >= 500 && exchange.getRequestURI().getRawPath().equals("/")) {
      exchange.getResponseHeaders().set("Refresh", RELOAD_SECONDS);
    }
  }

  private void refuse(HttpExchange exchange, int status, String why) throws IOException {
    byte[] body = json.write(new ErrorEntity(ErrorBodyEntity.of(status, why)));
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    loadAgainAfter(status, exchange);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
