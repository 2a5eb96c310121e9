package fleet.rpc.enrol;

import fleet.cluster.JoinToken;
import fleet.core.machine.Role;
import fleet.rpc.v1.Token;
import java.time.Instant;

/** Join tokens as messages. */
final class TokenMessages {

  private TokenMessages() {}

  static Token of(JoinToken token) {
    return Token.newBuilder()
        .setId(token.id())
        .setRole(token.role().text())
        .setExpires(token.expires().getEpochSecond())
        .setCreated(token.created().getEpochSecond())
        .setBy(token.by())
        .build();
  }

  static JoinToken token(Token message) {
    return new JoinToken(
        message.getId(),
        role(message.getRole()),
        Instant.ofEpochSecond(message.getExpires()),
        Instant.ofEpochSecond(message.getCreated()),
        message.getBy());
  }

  /**
   * The role of a text.
   *
   * @throws IllegalArgumentException for one that this version does not know
   */
  static Role role(String text) {
    return Role.ofText(text)
        .orElseThrow(() -> new IllegalArgumentException("there is no role \"" + text + "\""));
  }
}
