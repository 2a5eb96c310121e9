package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.EntityJson;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JsonErrorsTest {

  private final Server server = new Server();
  private final LocalConnector client = new LocalConnector(server);
  private final GracefulHandler graceful = new GracefulHandler(new Answering());

  private static final class Answering extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      callback.succeeded();
      return true;
    }
  }

  @BeforeEach
  void start() throws Exception {
    server.addConnector(client);
    server.setErrorHandler(new JsonErrors(new EntityJson()));
    server.setHandler(graceful);
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  private String answer(String request) throws Exception {
    return client.getResponse(request + "\r\nHost: fleet\r\n\r\n");
  }

  /** Before, fleetctl failed if fleetd was just being restarted. */
  @Test
  void aRequestThatComesWhileTheServerStopsIsToBeMadeAgain() throws Exception {
    assertThat(answer("GET /fleet/v1/units HTTP/1.1")).startsWith("HTTP/1.1 200 ");
    graceful.shutdown().get();
    assertThat(answer("POST /fleet/v1/units/a.service/restart HTTP/1.1"))
        .startsWith("HTTP/1.1 503 ")
        .contains("Retry-After: 1\r\n")
        .endsWith("{\"error\":{\"code\":503,\"message\":\"fleetd is stopping\"}}");
  }

  @Test
  void whatIsNoRequestIsRefusedForGood() throws Exception {
    assertThat(answer("GET /fleet/v1/units HTTP/7.1"))
        .startsWith("HTTP/1.1 505 ")
        .doesNotContain("Retry-After")
        .contains("{\"error\":{\"code\":505,");
  }
}
