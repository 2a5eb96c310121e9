package fleet.api;

import fleet.api.listen.BoundSocket;
import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.AccessRole;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
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
  private final Optional<AccessRole> vouched;
  private final String server = UUID.randomUUID() + "/";

  JettyHandler(
      Gateway gateway,
      BrowserGuard browsers,
      Streams streams,
      RequestCounts counts,
      Optional<AccessRole> vouched) {
    this.gateway = gateway;
    this.browsers = browsers;
    this.streams = streams;
    this.counts = counts;
    this.vouched = vouched;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    ConnectionMetaData connection = request.getConnectionMetaData();
    ChannelConnector connector = (ChannelConnector) connection.getConnector();
    EndPoint endPoint = connection.getConnection().getEndPoint();
    connector.silent().asked(endPoint);
    try {
      answer(
          connector.socket(),
          new JettyRequest(request, server, vouched),
          new JettyAnswer(request, response, streams));
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

  private void answer(BoundSocket socket, ApiRequest request, ApiAnswer answer) throws IOException {
    try {
      browsers.check(socket, request);
    } catch (RefusedException e) {
      gateway.refuse(request, answer, e.status(), e.text());
      return;
    }
    gateway.answer(request, answer);
  }
}
