package fleet.rpc;

import io.grpc.Status;
import java.util.Optional;

/** Checks whether machines with valid certificates are still part of the cluster. */
@FunctionalInterface
public interface PeerAdmission {

  /** Admits everybody: for callers without a list of removed machines. */
  PeerAdmission ALL = _ -> Optional.empty();

  /**
   * Asked at each call; must not wait.
   *
   * @return what its call ends with; empty if it is served
   */
  Optional<Status> refusal(RpcPeer peer);
}
