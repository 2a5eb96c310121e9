package fleet.fleetctl.http;

import java.io.IOException;

/** Opens connections through ssh. Safe for use by many threads. */
public interface SshConnector {

  /** Connects with the socket of a machine. */
  Transport toSocket(Endpoint.Ssh socket) throws IOException;

  /** Connects with a port, as the host of the tunnel reaches it. */
  Transport toPort(String name, int port) throws IOException;
}
