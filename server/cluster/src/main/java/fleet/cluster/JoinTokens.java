package fleet.cluster;

import fleet.core.machine.Role;
import java.time.Duration;
import java.util.List;

/**
 * The tokens with which machines join the cluster. Safe for use by many threads; calls block.
 *
 * <p>Every call throws {@link ClusterUnavailableException} if the cluster cannot answer.
 */
public interface JoinTokens {

  /** The longest time that a token can be good for. */
  Duration LONGEST = Duration.ofDays(366);

  /**
   * Makes a token.
   *
   * @param wish with a life above zero, and not above {@link #LONGEST}
   * @throws IllegalArgumentException for another wish; the message is for people
   */
  NewJoinToken create(JoinTokenRequest wish, Caller caller);

  /** Makes a token with the defaults of a role. */
  default NewJoinToken create(Role role, Duration life, Caller caller) {
    return create(JoinTokenRequest.of(role, life), caller);
  }

  /** All tokens, the oldest first; expired ones stay for a while. */
  List<JoinToken> list();

  /** Revokes a token; false if there is none with that id. */
  boolean revoke(String id, Caller caller);
}
