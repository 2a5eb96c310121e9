package fleet.api;

import fleet.cluster.ClusterUnavailableException;
import fleet.entities.EntityJson;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests, and turns what goes wrong into the API's errors. */
final class ApiHandler extends Handler.Abstract {

  private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

  private final Routes routes;
  private final EntityJson json;
  private final RequestCounts counts;

  ApiHandler(Routes routes, EntityJson json, RequestCounts counts) {
    this.routes = routes;
    this.json = json;
    this.counts = counts;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Exchange exchange = new Exchange(request, response, json);
    try {
      answer(exchange);
      callback.succeeded();
    } catch (IOException e) {
      LOG.debug("{} {} was cut off", request.getMethod(), request.getHttpURI().getPath(), e);
      callback.failed(e);
    } finally {
      counts.count(request.getMethod(), response.getStatus());
    }
    return true;
  }

  private void answer(Exchange exchange) throws IOException {
    try {
      checkOrigin(exchange);
      routes.answer(exchange, path(exchange.request()));
    } catch (RefusedException e) {
      refuse(exchange, e.status(), e.text(), e);
    } catch (ClusterUnavailableException e) {
      refuse(exchange, 503, String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    } catch (RuntimeException e) {
      Request request = exchange.request();
      LOG.error("{} {} failed", request.getMethod(), request.getHttpURI().getPath(), e);
      refuse(exchange, 500, "internal error: see the log of fleetd", e);
    }
  }

  private static String path(Request request) {
    return Optional.ofNullable(request.getHttpURI().getPath()).orElse("/");
  }

  private static void refuse(Exchange exchange, int status, String message, RuntimeException cause)
      throws IOException {
    if (exchange.response().isCommitted()) {
      throw new IOException(cause);
    }
    exchange.refuse(status, message);
  }

  /**
   * Refuses changes that a page of another site makes a browser ask for: where the API listens on
   * loopback, any page that the operator visits could otherwise restart units.
   */
  private static void checkOrigin(Exchange exchange) {
    List<String> origins = exchange.headers(HttpHeader.ORIGIN.asString());
    if (origins.isEmpty() || exchange.request().getMethod().equals("GET")) {
      return;
    }
    String host = exchange.headers(HttpHeader.HOST.asString()).stream().findFirst().orElse("");
    if (origins.size() > 1 || !host.equalsIgnoreCase(authority(origins.getFirst()))) {
      throw new RefusedException(403, "changes asked for by pages of other sites are refused");
    }
  }

  private static String authority(String origin) {
    try {
      return Optional.ofNullable(URI.create(origin).getAuthority()).orElse(origin);
    } catch (IllegalArgumentException e) {
      return origin;
    }
  }
}
