package fleet.rpc;

import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.ServerCall;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;

/**
 * The machine at the other end, as its certificate says.
 *
 * @param machine id
 * @param server whether it may speak for the cluster, and not only for itself
 * @param key SHA-256 of the public key that it has proved itself with, in hexadecimal
 */
public record RpcPeer(String machine, boolean server, String key) {

  /** A machine of whose key nothing is known. */
  public RpcPeer(String machine, boolean server) {
    this(machine, server, "");
  }

  static final Context.Key<RpcPeer> KEY = Context.key("fleet-peer");

  /** Where a call comes from: of a stranger nothing else is known. */
  public static String addressOf(ServerCall<?, ?> call) {
    SocketAddress from = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    return from instanceof InetSocketAddress inet
        ? inet.getAddress().getHostAddress()
        : String.valueOf(from);
  }

  @Override
  public String toString() {
    return (server ? "server " : "agent ") + machine;
  }

  /** The peer of the call at hand; empty if the call came in plain text. */
  public static Optional<RpcPeer> current() {
    return Optional.ofNullable(KEY.get());
  }
}
