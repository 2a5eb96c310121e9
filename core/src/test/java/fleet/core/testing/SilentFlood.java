package fleet.core.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections of one address to a port of the loopback that say nothing. A server cuts the oldest
 * off because they are many; later it would cut all of them off because they are silent. Which of
 * the two it was, a connection from another network tells, which is silent for longer than they.
 */
public final class SilentFlood {

  private static final int ATTEMPTS = 5;

  /** Looks at something while the others are there. */
  public interface Meanwhile {
    void check() throws Exception;
  }

  private SilentFlood() {}

  /**
   * Whether the server cuts off the oldest of them for their number. A flood that took longer than
   * silence may last shows nothing, and is made again.
   *
   * @param oldest how many of those that came first; it takes those that come together in any order
   */
  public static boolean cutsOff(int port, int connections, int oldest, Meanwhile meanwhile)
      throws Exception {
    for (int i = 0; i < ATTEMPTS; i++) {
      if (isShown(port, connections, oldest, meanwhile)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isShown(int port, int connections, int oldest, Meanwhile meanwhile)
      throws Exception {
    List<Socket> flood = new ArrayList<>();
    try (Socket earlier = connect(port, "127.1.1.1")) {
      for (int i = 0; i < connections; i++) {
        flood.add(connect(port, "127.0.0.1"));
      }
      for (Socket old : flood.subList(0, oldest)) {
        awaitCut(old);
      }
      boolean isShown = isThere(earlier);
      meanwhile.check();
      return isShown;
    } finally {
      for (Socket socket : flood) {
        socket.close();
      }
    }
  }

  private static Socket connect(int port, String from) throws IOException {
    return new Socket(InetAddress.ofLiteral("127.0.0.1"), port, InetAddress.ofLiteral(from), 0);
  }

  private static void awaitCut(Socket socket) throws IOException {
    try {
      while (socket.getInputStream().read() >= 0) {
        // Whatever it says.
      }
    } catch (SocketException e) {
      return;
    }
  }

  private static boolean isThere(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }
}
