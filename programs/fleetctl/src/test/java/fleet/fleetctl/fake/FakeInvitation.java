package fleet.fleetctl.fake;

import fleet.core.access.LoginCode;
import fleet.entities.EntityJson;
import fleet.entities.InvalidJsonException;
import fleet.entities.LoginEntity;
import fleet.entities.PersonEntity;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.trust.TestAuthority;
import fleet.trust.TrustException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/** A server of a cluster, and a code that makes its owner the person anna there. */
public final class FakeInvitation implements AutoCloseable {

  private final TestAuthority cluster = new TestAuthority();
  private final FakeTlsServer server;

  public FakeInvitation() throws Exception {
    server = new FakeTlsServer(cluster.server(), this::handle);
  }

  public String server() {
    return "127.0.0.1:" + server.port();
  }

  public String code() {
    return new LoginCode("5a1f03c2", cluster.sha256(), "0".repeat(32)).text();
  }

  private boolean handle(Request request, OutputStream out) throws IOException {
    EntityJson json = new EntityJson();
    Instant now = Instant.now();
    try {
      byte[] sent = request.body().getBytes(StandardCharsets.UTF_8);
      byte[] wanted = Base64.getMimeDecoder().decode(json.read(LoginEntity.class, sent).request());
      String certificate = cluster.person("anna", wanted, now.minus(Duration.ofHours(1)));
      PersonEntity person = new PersonEntity(cluster.pem(), certificate, "", "anna", "" + now);
      String body = new String(json.write(person), StandardCharsets.UTF_8);
      return FakeHttpServer.reply(out, 201, body, "Connection: close");
    } catch (InvalidJsonException | TrustException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
