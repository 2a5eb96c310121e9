package fleet.api.listen;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

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
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adopts a listening socket by its descriptor. Java offers that for descriptor 0 alone, so this
 * reaches into the JDK and needs {@code --add-opens java.base/java.io=ALL-UNNAMED --add-opens
 * java.base/sun.nio.ch=ALL-UNNAMED}.
 */
final class PassedSocket {

  private static final Logger LOG = LoggerFactory.getLogger(PassedSocket.class);

  private static final Set<PosixFilePermission> OTHERS =
      PosixFilePermissions.fromString("------rwx");

  /** systemd keeps a socket over restarts of fleetd alone. */
  private static final String REOPEN = "; then run: systemctl restart fleet.socket fleet.service";

  private PassedSocket() {}

  static BoundSocket adopt(int descriptor, boolean insecure) throws ListenException {
    ProtocolFamily family = family(descriptor);
    try {
      ServerSocketChannel channel = channel(descriptor, family);
      String where = where(channel.getLocalAddress());
      if (!insecure && isOpenToNetwork(channel.getLocalAddress())) {
        throw new ListenException(
            ("refusing to serve %s, handed over by systemd, plain and open to the network: everybody"
                    + " who reaches it could run commands as root. Listen on a unix socket or"
                    + " loopback in the socket unit, or accept it with insecure_tcp=true%s")
                .formatted(where, REOPEN));
      }
      if (channel.getLocalAddress() instanceof UnixDomainSocketAddress unix) {
        permit(channel, unix.getPath());
      }
      // systemd keeps the socket, and its file, for the next start.
      return BoundSocket.plain(
          channel,
          family == StandardProtocolFamily.UNIX,
          where + " (handed over by systemd)",
          () -> {});
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

  /** systemd keeps the socket over restarts, so an earlier fleetd may have permitted it already. */
  private static void permit(ServerSocketChannel channel, Path socket) throws ListenException {
    if (!socket.isAbsolute()) {
      // A socket without a file has no permissions that could keep anybody out.
      throw new ListenException(
          "refusing to serve the socket \"%s\", handed over by systemd: it has no file, so every user"
                  .formatted(socket)
              + " could run commands as root. Write a path after ListenStream= in the socket unit"
              + REOPEN);
    }
    if (Files.notExists(socket, NOFOLLOW_LINKS)) {
      LOG.warn(
          "no client finds {} any more, as its file was removed: run systemctl restart fleet.socket fleet.service",
          socket);
    } else if (!isOpenToLesser(socket)) {
      closeToOthers(channel, socket);
    }
  }

  /**
   * Gives the socket to the group fleet if it is root's, and opens it if there are groups with
   * fewer rights; each request then needs a grant. {@code SocketGroup=} would fail if there is no
   * such group, and a command of the socket unit holds systemd up if it is killed. Another group
   * that was chosen is kept.
   */
  private static boolean isOpenToLesser(Path socket) {
    try {
      if (FleetGroup.isRoots(socket)) {
        boolean _ = FleetGroup.take(socket);
      } else if (!FleetGroup.has(socket)) {
        return false;
      }
      if (!FleetGroup.hasLesser(socket)) {
        return false;
      }
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
      return true;
    } catch (IOException e) {
      LOG.debug("{} stays with its group", socket, e);
      return false;
    }
  }

  /**
   * Socket units of fleet 1.0 have no {@code SocketMode=}, and systemd's default lets every user of
   * the machine in.
   */
  private static void closeToOthers(ServerSocketChannel channel, Path socket)
      throws ListenException {
    try {
      Set<PosixFilePermission> mode = Files.getPosixFilePermissions(socket, NOFOLLOW_LINKS);
      if (mode.contains(PosixFilePermission.OTHERS_WRITE)) {
        mode.removeAll(OTHERS);
        Files.setPosixFilePermissions(socket, mode);
        dismissWaiting(channel);
        LOG.warn(
            "{} let every user of this machine run commands as root: it is closed to them now, and"
                + " will be at each start; write SocketMode=0660 below [Socket] in its socket unit",
            socket);
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new ListenException(
          ("refusing to serve %s, handed over by systemd: whether it is open to every user of this"
                  + " machine cannot be changed (%s). Write SocketMode=0660 below [Socket] in its"
                  + " socket unit%s")
              .formatted(socket, e.getMessage(), REOPEN),
          e);
    }
  }

  /** Clients that connected before that could be anybody. */
  private static void dismissWaiting(ServerSocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    for (SocketChannel waiting = channel.accept(); waiting != null; waiting = channel.accept()) {
      waiting.close();
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
