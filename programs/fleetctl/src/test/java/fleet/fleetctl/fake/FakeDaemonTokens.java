package fleet.fleetctl.fake;

import fleet.entities.Entity;
import fleet.entities.EntityJson;
import fleet.entities.TokenEntity;
import fleet.entities.TokenPageEntity;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The tokens of a {@link FakeDaemon}: always the same two. */
final class FakeDaemonTokens {

  private final EntityJson json = new EntityJson();

  boolean answer(Request request, String[] parts, OutputStream out) throws IOException {
    return switch (request.method()) {
      case "POST" -> createToken(request, out);
      case "GET" ->
          FakeHttpServer.reply(
              out,
              200,
              text(
                  new TokenPageEntity(
                      List.of(
                          token("", "0a0b0c0d", "2026-03-02T10:00:00Z"),
                          token("", "5a1f03c2", "2999-03-02T10:00:00Z")))));
      default ->
          parts[1].equals("5a1f03c2")
              ? FakeHttpServer.reply(out, 204, "")
              : FakeHttpServer.refuse(out, 404, "token does not exist");
    };
  }

  private boolean createToken(Request request, OutputStream out) throws IOException {
    return request.body().contains("\"ttlSeconds\":" + TimeUnit.DAYS.toSeconds(367))
        ? FakeHttpServer.refuse(out, 400, "a token is good for some time, and at most 366 days")
        : FakeHttpServer.reply(
            out, 201, text(token("FLEET-1-5a1f03c2", "5a1f03c2", "2026-03-02T10:00:00Z")));
  }

  private static TokenEntity token(String text, String id, String expires) {
    boolean used = expires.startsWith("2999");
    return new TokenEntity(
        "user root",
        "2026-03-01T10:00:00Z",
        expires,
        id,
        "",
        "agent",
        text.isEmpty() ? "" : "10.0.0.1",
        text,
        null,
        used ? List.of(FakeDaemon.MACHINE) : List.of(),
        used ? 2L : null);
  }

  private String text(Entity entity) {
    return new String(json.write(entity), StandardCharsets.UTF_8);
  }
}
