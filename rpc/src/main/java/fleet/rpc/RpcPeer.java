package fleet.rpc;

import io.grpc.Context;
import java.util.Optional;

/**
 * Who is at the other end, as its certificate says.
 *
 * @param machine id
 * @param server whether it may speak for the cluster, and not only for itself
 */
public record RpcPeer(String machine, boolean server) {

  static final Context.Key<RpcPeer> KEY = Context.key("fleet-peer");

  /** Of the call at hand; empty where it came in plain text. */
  public static Optional<RpcPeer> current() {
    return Optional.ofNullable(KEY.get());
  }
}
