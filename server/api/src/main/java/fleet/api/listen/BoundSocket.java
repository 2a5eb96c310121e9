package fleet.api.listen;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * A socket that listens.
 *
 * @param tls what connections are secured with; empty for plain ones
 * @param ofCluster whether that shows a certificate of the cluster's authority, and leaves it to
 *     the answer whether clients have a good one
 * @param names that its certificate has
 * @param description where it is, for people
 * @param afterClose removes what was made beside the socket
 */
public record BoundSocket(
    ServerSocketChannel channel,
    Optional<SSLContext> tls,
    boolean ofCluster,
    List<String> names,
    String description,
    Runnable afterClose)
    implements AutoCloseable {

  /** A plain one. */
  static BoundSocket plain(ServerSocketChannel channel, String description, Runnable afterClose) {
    return new BoundSocket(channel, Optional.empty(), false, List.of(), description, afterClose);
  }

  /** Whether only processes of this machine come by it. */
  public boolean isUnix() {
    try {
      return channel.getLocalAddress() instanceof UnixDomainSocketAddress;
    } catch (IOException e) {
      // A closed socket counts as the more dangerous kind.
      return false;
    }
  }

  @Override
  public void close() {
    // Done while the socket still listens, so that clients never find a dead socket.
    afterClose.run();
    try {
      channel.close();
    } catch (IOException e) {
      // Closing frees the descriptor whatever its result.
      return;
    }
  }
}
