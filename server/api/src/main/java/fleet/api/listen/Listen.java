package fleet.api.listen;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** An address where the API listens. */
public sealed interface Listen {

  /**
   * Opens the socket.
   *
   * @throws ListenException if that is not possible, or not safe
   */
  BoundSocket open() throws ListenException;

  /**
   * A unix socket that fleetd makes itself, with mode 0660 and group {@code fleet} if there is one.
   */
  record Unix(Path path) implements Listen {
    @Override
    public BoundSocket open() throws ListenException {
      return new UnixSocketFile(path).bind();
    }
  }

  /**
   * A TCP address. With {@code tls}, clients need a certificate; without, the address must be
   * loopback, unless {@code insecure} allows everything to everybody who reaches it.
   *
   * @param address resolved when it is opened
   */
  record Tcp(InetSocketAddress address, Optional<ServerTlsFiles> tls, boolean insecure)
      implements Listen {
    @Override
    public BoundSocket open() throws ListenException {
      return TcpAddress.bind(address, tls, insecure);
    }
  }

  /**
   * A TCP address where people come by with certificates of the cluster's authority, or to get one.
   *
   * @param context shows one of this server, and takes whatever clients have
   */
  record Cluster(InetSocketAddress address, SSLContext context) implements Listen {
    @Override
    public BoundSocket open() throws ListenException {
      return TcpAddress.bindForPeople(address, context);
    }
  }

  /** A TCP address where everybody may read metrics and health, and nothing else. */
  record Scrapers(InetSocketAddress address) implements Listen {
    @Override
    public BoundSocket open() throws ListenException {
      return TcpAddress.bindForScrapers(address);
    }
  }

  /**
   * A listening socket that systemd hands over, unix or TCP. One that is open to every user of the
   * machine is restricted, and one that is open to the network refused, unless {@code insecure}.
   *
   * @param descriptor its number, from 3
   */
  record Passed(int descriptor, boolean insecure) implements Listen {
    @Override
    public BoundSocket open() throws ListenException {
      return PassedSocket.adopt(descriptor, insecure);
    }
  }
}
