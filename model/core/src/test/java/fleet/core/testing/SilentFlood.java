package fleet.core.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Connections of one address to a port of the loopback that say nothing. A server cuts the oldest
 * off because they are many; later it would cut all of them off because they are silent. A
 * connection from another network, which is silent for longer than they, tells the two apart.
 */
public final class SilentFlood {

  /** Looks at something while the others are there. */
  public interface Meanwhile {
    void check() throws Exception;
  }

  private SilentFlood() {}

  /**
   * Returns once the server has cut some of them off for their number, and none of the newest. A
   * flood that took longer than silence may last shows nothing, and is made again.
   *
   * @param some how many; a server takes connections that come together in any order
   */
  public static void awaitCut(int port, int connections, int some, Meanwhile meanwhile)
      throws Exception {
    boolean isShown = false;
    while (!isShown) {
      isShown = isShown(port, connections, some, meanwhile);
    }
  }

  private static boolean isShown(int port, int connections, int some, Meanwhile meanwhile)
      throws Exception {
    var cut = new Semaphore(0);
    Set<Socket> gone = ConcurrentHashMap.newKeySet();
    List<Socket> flood = new ArrayList<>();
    try (Socket earlier = connect(port, "127.1.1.1")) {
      for (int i = 0; i < connections; i++) {
        Socket socket = connect(port, "127.0.0.1");
        flood.add(socket);
        Thread.ofVirtual()
            .start(() -> {
              readUntilCut(socket);
              gone.add(socket);
              cut.release();
            });
      }
      cut.acquire(some);
      List<Socket> newest = flood.subList(connections - some, connections);
      boolean isShown = Collections.disjoint(gone, newest) && isThere(earlier);
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

  private static void readUntilCut(Socket socket) {
    try {
      while (socket.getInputStream().read() >= 0) {
        // The server's settings, say.
      }
    } catch (IOException e) {
      // It is cut.
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
