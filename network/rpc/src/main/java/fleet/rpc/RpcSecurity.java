package fleet.rpc;

import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/** The security of the RPC port. */
public sealed interface RpcSecurity {

  /**
   * Both sides show certificates.
   *
   * @param peers says who is at the other end
   */
  record MutualTls(ServerCredentials server, ChannelCredentials client, Identification peers)
      implements RpcSecurity {}

  /**
   * Plain text.
   *
   * @param everywhere whether that was asked for in so many words; else it is for loopback only
   */
  record PlainText(boolean everywhere) implements RpcSecurity {}

  /** Identifies a peer by its certificate. */
  interface Identification {
    /** Empty if the certificate does not say. */
    Optional<RpcPeer> peer(SSLSession session);

    /** Whether the certificate is still trusted; asked at each message. */
    default boolean isBelieved(SSLSession session) {
      return true;
    }
  }
}
