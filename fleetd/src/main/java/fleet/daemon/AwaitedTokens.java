package fleet.daemon;

import fleet.cluster.Caller;
import fleet.cluster.JoinToken;
import fleet.cluster.JoinTokens;
import fleet.cluster.NewJoinToken;
import fleet.core.machine.Role;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Tokens that are there later than the API that serves them. Safe for use by many threads.
 *
 * @param there asked at each call; throws {@link fleet.cluster.ClusterUnavailableException} as long
 *     as they are not there
 */
record AwaitedTokens(Supplier<JoinTokens> there) implements JoinTokens {

  @Override
  public NewJoinToken create(Role role, Duration life, Caller caller) {
    return there.get().create(role, life, caller);
  }

  @Override
  public List<JoinToken> list() {
    return there.get().list();
  }

  @Override
  public boolean revoke(String id, Caller caller) {
    return there.get().revoke(id, caller);
  }
}
