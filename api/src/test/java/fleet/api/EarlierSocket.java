package fleet.api;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A connection from another network that says nothing either, and was there before those of a
 * flood: if they are cut off and it is not, then they are because they are many, and not because
 * they are silent.
 */
final class EarlierSocket implements AutoCloseable {

  private final Socket socket;

  EarlierSocket(InetSocketAddress server) throws IOException {
    InetAddress elsewhere = InetAddress.ofLiteral("127.1.1.1");
    this.socket = new Socket(server.getAddress(), server.getPort(), elsewhere, 0);
  }

  boolean isThere() throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
