package fleet.api;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
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
  private final RequestCounts counts;
  private final Streams streams;
  private final Callers callers;
  private final String server = UUID.randomUUID() + "/";

  JettyHandler(
      Gateway gateway,
      BrowserGuard browsers,
      Streams streams,
      RequestCounts counts,
      Callers callers) {
    this.gateway = gateway;
    this.browsers = browsers;
    this.streams = streams;
    this.counts = counts;
    this.callers = callers;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    ConnectionMetaData connection = request.getConnectionMetaData();
    ChannelConnector connector = (ChannelConnector) connection.getConnector();
    EndPoint endPoint = connection.getConnection().getEndPoint();
    connector.silent().asked(endPoint);
    try {
      answer(connector, request, response);
      connector.silent().answered(endPoint);
      callback.succeeded();
    } catch (IOException e) {
      LOG.debug("{} {} was cut off", request.getMethod(), request.getHttpURI().getPath(), e);
      callback.failed(e);
    } finally {
      counts.count(request.getMethod(), response.getStatus());
    }
    return true;
  }

  private void answer(ChannelConnector connector, Request request, Response response)
      throws IOException {
    ApiAnswer answer = new JettyAnswer(request, response, streams);
    Subject subject = Callers.stranger(request);
    try {
      subject = callers.subject(request, connector.socket());
      ApiRequest asked = new JettyRequest(request, server, subject);
      browsers.check(connector.socket(), asked);
      if (subject instanceof Subject.Stranger) {
        keepNoLonger(response);
      } else {
        connector.strangers().asked(request.getConnectionMetaData().getConnection().getEndPoint());
      }
      gateway.answer(asked, answer);
    } catch (RefusedException e) {
      keepNoLonger(response);
      gateway.refuse(new JettyRequest(request, server, subject), answer, e.status(), e.text());
    } catch (ClusterUnavailableException e) {
      gateway.refuse(
          new JettyRequest(request, server, subject), answer, 503, String.valueOf(e.getMessage()));
    }
  }

  /** Strangers come with one request each. */
  private static void keepNoLonger(Response response) {
    response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
  }
}
