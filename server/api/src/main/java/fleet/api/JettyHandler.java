package fleet.api;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import java.io.IOException;
import java.util.UUID;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
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
  private final BrowserGuard browsers;
  private final Streams streams;
  private final Meter meter;
  private final Callers callers;
  private final ConnectionDrain drain;
  private final ScrapeListener scrapers;
  private final String server = UUID.randomUUID() + "/";

  JettyHandler(
      Gateway gateway,
      BrowserGuard browsers,
      Streams streams,
      Meter meter,
      Callers callers,
      ConnectionDrain drain,
      ScrapeListener scrapers) {
    this.gateway = gateway;
    this.browsers = browsers;
    this.streams = streams;
    this.meter = meter;
    this.callers = callers;
    this.drain = drain;
    this.scrapers = scrapers;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    ConnectionMetaData connection = request.getConnectionMetaData();
    ChannelConnector connector = (ChannelConnector) connection.getConnector();
    EndPoint endPoint = connection.getConnection().getEndPoint();
    drain.asked(endPoint);
    try {
      answer(connector, endPoint, request, response, callback);
    } finally {
      drain.answered();
    }
    return true;
  }

  private void answer(
      ChannelConnector connector,
      EndPoint endPoint,
      Request request,
      Response response,
      Callback callback) {
    connector.silent().asked(endPoint);
    if (drain.isDraining()) {
      keepNoLonger(response);
    }
    JettyAnswer answer = new JettyAnswer(request, response, streams);
    long begun = System.nanoTime();
    meter.record(Metric.FLEET_HTTP_REQUESTS_IN_PROGRESS, 1);
    try {
      if (connector.socket().forScrapers()) {
        scrapers.answer(request, response);
      } else {
        answer(connector, request, response, answer);
      }
      connector.silent().answered(endPoint);
      callback.succeeded();
    } catch (IOException e) {
      LOG.debug("{} {} was cut off", request.getMethod(), request.getHttpURI().getPath(), e);
      callback.failed(e);
    } finally {
      count(request, response, answer.isEndless(), System.nanoTime() - begun);
    }
  }

  private void count(Request request, Response response, boolean endless, long nanos) {
    meter.record(Metric.FLEET_HTTP_REQUESTS_IN_PROGRESS, -1);
    meter.record(
        Metric.FLEET_HTTP_REQUESTS_TOTAL,
        1,
        request.getMethod(),
        Integer.toString(response.getStatus()));
    if (!endless) {
      meter.time(Metric.FLEET_HTTP_REQUEST_SECONDS, nanos);
    }
  }

  private void answer(
      ChannelConnector connector, Request request, Response response, ApiAnswer answer)
      throws IOException {
    Subject subject = Callers.stranger(request);
    try {
      subject = callers.subject(request, connector.socket());
      ApiRequest asked = asked(request, subject);
      browsers.check(connector.socket(), asked);
      if (subject instanceof Subject.Stranger) {
        keepNoLonger(response);
      } else {
        connector.strangers().asked(request.getConnectionMetaData().getConnection().getEndPoint());
      }
      gateway.answer(asked, answer);
    } catch (RefusedException e) {
      keepNoLonger(response);
      gateway.refuse(asked(request, subject), answer, e.status(), e.text());
    } catch (ClusterUnavailableException e) {
      gateway.refuse(asked(request, subject), answer, 503, String.valueOf(e.getMessage()));
    }
  }

  private ApiRequest asked(Request request, Subject subject) {
    return new JettyRequest(request, server, subject, gateway::mayBeRepeated);
  }

  /** Strangers come with one request each, and everybody once fleetd stops. */
  private static void keepNoLonger(Response response) {
    response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
  }
}
