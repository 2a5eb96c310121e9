package fleet.api;

import fleet.cluster.JoinToken;
import fleet.cluster.JoinTokenRequest;
import fleet.cluster.NewJoinToken;
import fleet.core.access.Subject;
import fleet.core.machine.Role;
import fleet.entities.TokenEntity;
import fleet.entities.TokenPageEntity;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** Join tokens: make, list, revoke. */
final class TokensResource {

  private static final Duration DEFAULT_LIFE = Duration.ofDays(1);

  void list(Exchange exchange) throws IOException {
    exchange.reply(
        new TokenPageEntity(
            exchange.own().tokens().list().stream()
                .map(token -> entity(new NewJoinToken(token, "")))
                .toList()));
  }

  void create(Exchange exchange) throws IOException {
    TokenEntity wanted = exchange.json(TokenEntity.class);
    String role = wanted.role().isEmpty() ? Role.AGENT.text() : wanted.role();
    if (role.equals(Role.SERVER.text()) && exchange.request().subject() instanceof Subject.Joined) {
      throw new RefusedException(
          403, "tokens for servers are made on servers, and this machine is not one");
    }
    JoinTokenRequest wish = wish(wanted, Role.ofText(role).orElseThrow(() -> noRole(role)));
    NewJoinToken made =
        RefusedException.ifInvalid(() -> exchange.own().tokens().create(wish, exchange.caller()));
    JoinToken token = made.token();
    exchange.answer().touch(token.id(), 201, "role " + role + ", good until " + token.expires());
    exchange.reply(201, entity(made));
  }

  private static JoinTokenRequest wish(TokenEntity wanted, Role role) {
    Long seconds = wanted.ttlSeconds();
    Long uses = wanted.uses();
    return new JoinTokenRequest(
        role,
        seconds == null ? DEFAULT_LIFE : Duration.ofSeconds(seconds),
        uses == null
            ? OptionalInt.empty()
            : OptionalInt.of(Math.clamp(uses, -1, Integer.MAX_VALUE)),
        Optional.of(wanted.machine()).filter(machine -> !machine.isEmpty()));
  }

  private static RefusedException noRole(String role) {
    return RefusedException.badRequest("invalid role \"" + role + "\": expect agent or server");
  }

  void revoke(Exchange exchange, String id) throws IOException {
    if (!exchange.own().tokens().revoke(id, exchange.caller()) && !exchange.isRepeated()) {
      throw new RefusedException(404, "token does not exist");
    }
    exchange.reply(204);
  }

  private static TokenEntity entity(NewJoinToken made) {
    JoinToken token = made.token();
    return new TokenEntity(
        token.by(),
        token.created().toString(),
        token.expires().toString(),
        token.id(),
        token.machine().orElse(""),
        token.role().text(),
        made.server(),
        made.text(),
        null,
        token.usedBy(),
        token.uses() == 0 ? null : (long) token.uses());
  }
}
