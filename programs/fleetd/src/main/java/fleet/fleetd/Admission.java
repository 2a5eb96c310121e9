package fleet.fleetd;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.request.ApiHandler;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import java.io.IOException;
import java.util.Optional;

/**
 * Whether this machine has been let into its cluster by now. Until then who asks it for anything of
 * that is told at once why not. Safe for use by many threads.
 */
final class Admission implements RpcChannels.Source {

  private volatile Optional<RpcSecurity> granted = Optional.empty();
  private volatile String waiting;

  /**
   * Not yet.
   *
   * @param waiting what is waited for
   */
  Admission(String waiting) {
    this.waiting = waiting;
  }

  void waits(String why) {
    waiting = why;
  }

  void granted(RpcSecurity security) {
    granted = Optional.of(security);
  }

  @Override
  public RpcSecurity security() throws IOException {
    return granted.orElseThrow(() -> new IOException(notYet()));
  }

  /** The same answers; none before this machine is let in. */
  ApiHandler before(ApiHandler leader) {
    return (request, answer) -> {
      if (granted.isEmpty()) {
        throw new ClusterUnavailableException(notYet());
      }
      leader.handle(request, answer);
    };
  }

  private String notYet() {
    return "this machine has not joined its cluster yet: " + waiting;
  }
}
