package fleet.fleetctl.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** A connection as TLS wants it: a socket that is connected. */
final class TransportSocket extends Socket {

  private final Transport transport;

  TransportSocket(Transport transport) {
    this.transport = transport;
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public InputStream getInputStream() {
    return transport.in();
  }

  @Override
  public OutputStream getOutputStream() {
    return transport.out();
  }

  @Override
  public synchronized void close() throws IOException {
    super.close();
    transport.channel().close();
  }
}
