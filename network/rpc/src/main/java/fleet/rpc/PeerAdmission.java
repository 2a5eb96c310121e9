package fleet.rpc;

import io.grpc.Status;
import java.util.Optional;

/** Says of machines whose certificates are good whether they are still part of the cluster. */
@FunctionalInterface
public interface PeerAdmission {

  /** For those who know of nobody that was thrown out. */
  PeerAdmission ALL = _ -> Optional.empty();

  /**
   * Asked at each call; must not wait.
   *
   * @return what its call ends with; empty if it is served
   */
  Optional<Status> refusal(RpcPeer peer);
}
