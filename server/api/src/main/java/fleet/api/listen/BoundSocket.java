package fleet.api.listen;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * A socket that listens.
 *
 * @param isUnix whether only processes of this machine come by it; known when the channel is
 *     closed, too, since requests that came before are still answered
 * @param tls what connections are secured with; empty for plain ones
 * @param ofCluster whether that shows a certificate of the cluster's authority, and leaves it to
 *     the answer whether clients have a good one
 * @param forScrapers whether it serves nothing but what monitoring reads, to everybody
 * @param names that its certificate has
 * @param description where it is, for people
 * @param removal removes what was made beside the socket; may run twice
 */
public record BoundSocket(
    ServerSocketChannel channel,
    boolean isUnix,
    Optional<SSLContext> tls,
    boolean ofCluster,
    boolean forScrapers,
    List<String> names,
    String description,
    Runnable removal)
    implements AutoCloseable {

  /** A plain one. */
  static BoundSocket plain(
      ServerSocketChannel channel, boolean isUnix, String description, Runnable removal) {
    return new BoundSocket(
        channel, isUnix, Optional.empty(), false, false, List.of(), description, removal);
  }

  /** Lets nobody find it any more, while it listens: clients never find a dead socket. */
  public void hide() {
    removal.run();
  }

  @Override
  public void close() {
    hide();
    try {
      channel.close();
    } catch (IOException e) {
      // Closing frees the descriptor whatever its result.
      return;
    }
  }
}
