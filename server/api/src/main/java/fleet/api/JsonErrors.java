package fleet.api;

import fleet.entities.EntityJson;
import fleet.entities.ErrorBodyEntity;
import fleet.entities.ErrorEntity;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * The API's error body for input that is not even a request, such as malformed HTTP, and for
 * requests that come while the server stops. Nothing was done of these: fleetctl repeats them, and
 * reaches the next fleetd.
 */
final class JsonErrors implements Request.Handler {

  /** Jetty's answer while it stops; fleet's own are not made here. */
  private static final int UNAVAILABLE = 503;

  private final EntityJson json;

  JsonErrors(EntityJson json) {
    this.json = json;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    byte[] body = json.write(new ErrorEntity(ErrorBodyEntity.of(status, message(request, status))));
    if (status == UNAVAILABLE) {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, Gateway.RETRY_AFTER_SECONDS);
    }
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Exchange.JSON);
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }

  private static String message(Request request, int status) {
    if (status == UNAVAILABLE) {
      return "fleetd is stopping";
    }
    Object message = request.getAttribute(ErrorHandler.ERROR_MESSAGE);
    return message == null ? "" : message.toString();
  }
}
