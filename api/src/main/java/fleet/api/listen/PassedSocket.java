package fleet.api.listen;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adopts a listening socket by its descriptor. Java offers that for descriptor 0 alone, so this
 * reaches into the JDK and needs {@code --add-opens java.base/java.io=ALL-UNNAMED --add-opens
 * java.base/sun.nio.ch=ALL-UNNAMED}.
 */
final class PassedSocket {

  private static final Logger LOG = LoggerFactory.getLogger(PassedSocket.class);

  private PassedSocket() {}

  static BoundSocket adopt(int descriptor, boolean insecure) throws ListenException {
    ProtocolFamily family = family(descriptor);
    try {
      ServerSocketChannel channel = channel(descriptor, family);
      String where = where(channel.getLocalAddress());
      if (!insecure && isOpenToNetwork(channel.getLocalAddress())) {
        LOG.warn(
            "systemd handed over {}, plain and open to the network: everybody who reaches it can"
                + " run commands as root. Listen on a unix socket or loopback in the socket unit,"
                + " or silence this with insecure_tcp=true",
            where);
      }
      if (channel.getLocalAddress() instanceof UnixDomainSocketAddress unix) {
        share(unix.getPath());
      }
      // systemd keeps the socket, and its file, for the next start.
      return new BoundSocket(
          channel, Optional.empty(), where + " (handed over by systemd)", () -> {});
    } catch (IOException e) {
      throw failed(descriptor, String.valueOf(e.getMessage()));
    }
  }

  private static ProtocolFamily family(int descriptor) throws ListenException {
    if (!SocketOptions.isListeningStream(descriptor)) {
      throw failed(descriptor, "it is no listening stream socket: use ListenStream=");
    }
    return switch (SocketOptions.domain(descriptor)) {
      case SocketOptions.UNIX -> StandardProtocolFamily.UNIX;
      case SocketOptions.INET -> StandardProtocolFamily.INET;
      case SocketOptions.INET6 -> StandardProtocolFamily.INET6;
      default -> throw failed(descriptor, "it is neither a unix nor a TCP socket");
    };
  }

  private static ServerSocketChannel channel(int descriptor, ProtocolFamily family)
      throws ListenException {
    try {
      Constructor<FileDescriptor> file = FileDescriptor.class.getDeclaredConstructor(int.class);
      file.setAccessible(true);
      Constructor<?> channel =
          Class.forName("sun.nio.ch.ServerSocketChannelImpl")
              .getDeclaredConstructor(
                  SelectorProvider.class,
                  ProtocolFamily.class,
                  FileDescriptor.class,
                  boolean.class);
      channel.setAccessible(true);
      return (ServerSocketChannel)
          channel.newInstance(
              SelectorProvider.provider(), family, file.newInstance(descriptor), true);
    } catch (InaccessibleObjectException e) {
      throw failed(
          descriptor,
          "java was started without --add-opens java.base/java.io=ALL-UNNAMED --add-opens"
              + " java.base/sun.nio.ch=ALL-UNNAMED");
    } catch (ReflectiveOperationException e) {
      throw failed(descriptor, "this Java cannot take it over: " + e);
    }
  }

  /**
   * {@code SocketGroup=} would fail where there is no such group, and a command of the socket unit
   * holds systemd up where it is killed. Whoever has chosen another group keeps it.
   */
  private static void share(Path socket) {
    try {
      if (socket.isAbsolute() && FleetGroup.isRoots(socket)) {
        boolean _ = FleetGroup.take(socket);
      }
    } catch (IOException e) {
      LOG.debug("{} stays with its group", socket, e);
    }
  }

  private static boolean isOpenToNetwork(SocketAddress address) {
    return address instanceof InetSocketAddress inet && !inet.getAddress().isLoopbackAddress();
  }

  private static String where(SocketAddress address) {
    return address instanceof InetSocketAddress inet
        ? "http://" + TcpAddress.text(inet)
        : address.toString();
  }

  private static ListenException failed(int descriptor, String why) {
    return new ListenException(
        "cannot listen on descriptor " + descriptor + ", handed over by systemd: " + why);
  }
}
