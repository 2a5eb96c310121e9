package fleet.api.listen;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * A socket that listens.
 *
 * @param tls what connections are secured with; empty for plain ones
 * @param description where it is, for people
 * @param afterClose takes away what was made beside the socket
 */
public record BoundSocket(
    ServerSocketChannel channel, Optional<SSLContext> tls, String description, Runnable afterClose)
    implements AutoCloseable {

  @Override
  public void close() {
    // While the socket still listens, so that nobody finds a socket there that nobody answers.
    afterClose.run();
    try {
      channel.close();
    } catch (IOException e) {
      // Closing frees the descriptor whatever it answers.
      return;
    }
  }
}
