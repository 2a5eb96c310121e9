package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.api.HealthResource.WholeAnswer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * Answers scrapers without asking for their identity: three paths that only read. Each connection
 * has one request and {@link SilentConnections#ofStrangers} ends it soon; few answers that take
 * time are made at once. Safe for use by many threads.
 */
final class ScrapeListener {

  private static final String METRICS = "/metrics";
  private static final int ANSWERS_AT_ONCE = 4;

  private final MetricStore metrics;
  private final HealthResource health;
  private final Semaphore places = new Semaphore(ANSWERS_AT_ONCE);

  ScrapeListener(MetricStore metrics, HealthResource health) {
    this.metrics = metrics;
    this.health = health;
  }

  void answer(Request request, Response response) throws IOException {
    WholeAnswer answer =
        answer(request.getMethod(), String.valueOf(request.getHttpURI().getPath()));
    response.setStatus(answer.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
    response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
    if (answer.status() == 405) {
      response.getHeaders().put(HttpHeader.ALLOW, "GET");
    }
    Content.Sink.write(response, true, ByteBuffer.wrap(answer.body().getBytes(UTF_8)));
  }

  private WholeAnswer answer(String method, String path) throws IOException {
    if (!method.equals("GET")) {
      return WholeAnswer.of(405, "only GET supported here");
    }
    return switch (path) {
      case HealthResource.HEALTH -> HealthResource.health();
      case METRICS, HealthResource.READINESS -> answer(path);
      default -> WholeAnswer.of(404, "here are only /metrics, /healthz and /readyz");
    };
  }

  /** Asks parts of fleetd that may be busy. */
  private WholeAnswer answer(String path) throws IOException {
    if (!places.tryAcquire()) {
      return WholeAnswer.of(503, "too many requests at once");
    }
    try {
      return path.equals(METRICS)
          ? new WholeAnswer(200, MetricsResource.TYPE, metrics.scrape().text().toString())
          : health.readiness();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      places.release();
    }
  }
}
