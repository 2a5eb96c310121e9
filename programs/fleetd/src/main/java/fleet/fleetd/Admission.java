package fleet.fleetd;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotStartedException;
import fleet.cluster.request.ApiHandler;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import java.io.IOException;
import java.util.Optional;

/**
 * Whether this machine has been admitted to its cluster. While it asks for the first time, as after
 * each start, it is starting and clients wait. After an attempt that failed its answers say why, at
 * once. Safe for use by many threads.
 */
final class Admission implements RpcChannels.Source {

  private volatile Optional<RpcSecurity> granted = Optional.empty();
  private volatile String waiting;
  private volatile boolean failed;

  /**
   * Not admitted yet.
   *
   * @param waiting what it waits for
   */
  Admission(String waiting) {
    this.waiting = waiting;
  }

  /** An attempt has failed; there will be another. */
  void waits(String why) {
    waiting = why;
    failed = true;
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
        throw refusal();
      }
      leader.handle(request, answer);
    };
  }

  /** The answer before this machine is admitted. */
  ClusterUnavailableException refusal() {
    return failed ? new ClusterUnavailableException(notYet()) : new NotStartedException(notYet());
  }

  /** The reason why it waits, for people. */
  String waitsFor() {
    return waiting;
  }

  private String notYet() {
    return "this machine has not joined its cluster yet: " + waiting;
  }
}
