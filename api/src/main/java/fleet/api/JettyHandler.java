package fleet.api;

import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiRequest;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes requests from Jetty. */
final class JettyHandler extends Handler.Abstract {

  private static final Logger LOG = LoggerFactory.getLogger(JettyHandler.class);

  private final Gateway gateway;
  private final RequestCounts counts;
  private final Streams streams;
  private final String server = UUID.randomUUID() + "/";

  JettyHandler(Gateway gateway, Streams streams, RequestCounts counts) {
    this.gateway = gateway;
    this.streams = streams;
    this.counts = counts;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    try {
      answer(new JettyRequest(request, server), new JettyAnswer(request, response, streams));
      callback.succeeded();
    } catch (IOException e) {
      LOG.debug("{} {} was cut off", request.getMethod(), request.getHttpURI().getPath(), e);
      callback.failed(e);
    } finally {
      counts.count(request.getMethod(), response.getStatus());
    }
    return true;
  }

  private void answer(ApiRequest request, ApiAnswer answer) throws IOException {
    if (isOfAnotherSite(request)) {
      gateway.refuse(request, answer, 403, "changes asked for by pages of other sites are refused");
    } else {
      gateway.answer(request, answer);
    }
  }

  /**
   * Changes that a page of another site makes a browser ask for: where the API listens on loopback,
   * any page that the operator visits could otherwise restart units.
   */
  private static boolean isOfAnotherSite(ApiRequest request) {
    List<String> origins = request.headers(HttpHeader.ORIGIN.asString());
    if (origins.isEmpty() || request.method().equals("GET")) {
      return false;
    }
    String host = request.headers(HttpHeader.HOST.asString()).stream().findFirst().orElse("");
    return origins.size() > 1 || !host.equalsIgnoreCase(authority(origins.getFirst()));
  }

  private static String authority(String origin) {
    try {
      return Optional.ofNullable(URI.create(origin).getAuthority()).orElse(origin);
    } catch (IllegalArgumentException e) {
      return origin;
    }
  }
}
