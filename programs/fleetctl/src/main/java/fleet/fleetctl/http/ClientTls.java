package fleet.fleetctl.http;

import java.io.IOException;
import java.net.Socket;

/** How a server and fleetctl authenticate to each other. */
public interface ClientTls {

  /**
   * Secures a connection.
   *
   * @throws IOException if one side does not trust the other; the message is for people
   */
  Transport wrap(Socket plain, String host, int port) throws IOException;
}
