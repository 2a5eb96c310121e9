package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.JoinToken;
import fleet.cluster.JoinTokenRequest;
import fleet.cluster.JoinTokens;
import fleet.cluster.NewJoinToken;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Join tokens that are kept in a list. */
final class FakeTokens implements JoinTokens {

  static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  final List<Caller> callers = new ArrayList<>();
  private final List<JoinToken> tokens = new ArrayList<>();

  @Override
  public synchronized NewJoinToken create(JoinTokenRequest wish, Caller caller) {
    if (!wish.life().isPositive()) {
      throw new IllegalArgumentException("too short");
    }
    callers.add(caller);
    String id = "t" + (tokens.size() + 1);
    JoinToken token =
        new JoinToken(
            id,
            wish.role(),
            NOW.plus(wish.life()),
            NOW,
            "user root",
            wish.machine(),
            wish.most(),
            List.of());
    tokens.add(token);
    return new NewJoinToken(token, "FLEET-1-" + id);
  }

  @Override
  public synchronized List<JoinToken> list() {
    return List.copyOf(tokens);
  }

  @Override
  public synchronized boolean revoke(String id, Caller caller) {
    callers.add(caller);
    return tokens.removeIf(token -> token.id().equals(id));
  }
}
