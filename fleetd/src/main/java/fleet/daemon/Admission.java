package fleet.daemon;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.rpc.Leaders;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import java.io.IOException;
import java.time.Duration;
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

  /** The same leaders; none before this machine is let in. */
  Leaders before(Leaders leaders) {
    return new Leaders() {
      @Override
      public Sighting last() {
        require();
        return leaders.last();
      }

      @Override
      public void awaitOther(Sighting than, Duration atMost) throws InterruptedException {
        require();
        leaders.awaitOther(than, atMost);
      }
    };
  }

  private void require() {
    if (granted.isEmpty()) {
      throw new ClusterUnavailableException(notYet());
    }
  }

  private String notYet() {
    return "this machine has not joined its cluster yet: " + waiting;
  }
}
