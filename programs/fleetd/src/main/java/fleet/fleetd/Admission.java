package fleet.fleetd;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.request.ApiHandler;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import java.io.IOException;
import java.util.Optional;

/**
 * Whether this machine has been admitted to its cluster. Until then its answers say why not, at
 * once. Safe for use by many threads.
 */
final class Admission implements RpcChannels.Source {

  private volatile Optional<RpcSecurity> granted = Optional.empty();
  private volatile String waiting;

  /**
   * Not admitted yet.
   *
   * @param waiting what it waits for
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

  /** The same answers; none before this machine is admitted. */
  ApiHandler before(ApiHandler leader) {
    return (request, answer) -> {
      if (granted.isEmpty()) {
        throw new ClusterUnavailableException(notYet());
      }
      leader.handle(request, answer);
    };
  }

  /** The reason why it waits, for people. */
  String waitsFor() {
    return waiting;
  }

  private String notYet() {
    return "this machine has not joined its cluster yet: " + waiting;
  }
}
