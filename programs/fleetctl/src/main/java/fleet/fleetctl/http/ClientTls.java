package fleet.fleetctl.http;

import java.io.IOException;
import java.net.Socket;

/** The way in which a server proves itself, and fleetctl to it. */
public interface ClientTls {

  /**
   * Secures a connection.
   *
   * @throws IOException if one side does not believe the other; the message is for people
   */
  Transport wrap(Socket plain, String host, int port) throws IOException;
}
