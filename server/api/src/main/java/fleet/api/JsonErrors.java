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

/** The API's error body for input that is not even a request, such as malformed HTTP. */
final class JsonErrors implements Request.Handler {

  private final EntityJson json;

  JsonErrors(EntityJson json) {
    this.json = json;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    Object message = request.getAttribute(ErrorHandler.ERROR_MESSAGE);
    byte[] body =
        json.write(
            new ErrorEntity(ErrorBodyEntity.of(status, message == null ? "" : message + "")));
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Exchange.JSON);
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }
}
