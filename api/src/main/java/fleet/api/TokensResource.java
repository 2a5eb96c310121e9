package fleet.api;

import fleet.cluster.JoinToken;
import fleet.cluster.JoinTokens;
import fleet.cluster.NewJoinToken;
import fleet.core.machine.Role;
import fleet.entities.TokenEntity;
import fleet.entities.TokenPageEntity;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Join tokens: make, list, revoke. */
final class TokensResource {

  private static final Duration DEFAULT_LIFE = Duration.ofDays(1);

  private final JoinTokens tokens;

  TokensResource(JoinTokens tokens) {
    this.tokens = tokens;
  }

  void handle(Exchange exchange) throws IOException {
    exchange.allow("only GET and POST supported against this resource", "GET", "POST");
    if (exchange.request().getMethod().equals("POST")) {
      create(exchange);
    } else {
      exchange.reply(
          new TokenPageEntity(
              tokens.list().stream().map(token -> entity(token, Optional.empty())).toList()));
    }
  }

  private void create(Exchange exchange) throws IOException {
    PutRequest.checkContentType(exchange);
    TokenEntity wanted = exchange.body(TokenEntity.class);
    String role = wanted.role() == null ? Role.AGENT.text() : wanted.role();
    Long seconds = wanted.ttlSeconds();
    try {
      NewJoinToken made =
          tokens.create(
              Role.ofText(role).orElseThrow(() -> noRole(role)),
              seconds == null ? DEFAULT_LIFE : Duration.ofSeconds(seconds),
              exchange.caller());
      exchange.reply(201, entity(made.token(), Optional.of(made.text())));
    } catch (IllegalArgumentException e) {
      throw RefusedException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static RefusedException noRole(String role) {
    return RefusedException.badRequest("invalid role \"" + role + "\": expect agent or server");
  }

  void revoke(Exchange exchange, String id) throws IOException {
    exchange.allow("only DELETE supported against this resource", "DELETE");
    if (!tokens.revoke(id, exchange.caller())) {
      throw new RefusedException(404, "token does not exist");
    }
    exchange.reply(204);
  }

  private static TokenEntity entity(JoinToken token, Optional<String> text) {
    return new TokenEntity(
        token.by(),
        token.created().toString(),
        token.expires().toString(),
        token.id(),
        token.role().text(),
        text.orElse(null),
        null);
  }
}
