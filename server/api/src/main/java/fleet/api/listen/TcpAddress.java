package fleet.api.listen;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Opens TCP addresses, if it is safe. */
final class TcpAddress {
  private TcpAddress() {}

  static BoundSocket bind(InetSocketAddress address, Optional<ServerTlsFiles> tls, boolean insecure)
      throws ListenException {
    InetSocketAddress resolved = resolve(address);
    String name = text(resolved);
    if (tls.isEmpty() && !insecure && !resolved.getAddress().isLoopbackAddress()) {
      throw new ListenException(
          "refusing to listen at "
              + name
              + ": everybody who reaches it could run commands as root. Set a certificate, key"
              + " and CA for it, or listen on 127.0.0.1, or accept it with insecure_tcp=true");
    }
    Optional<SSLContext> context =
        tls.isPresent() ? Optional.of(tls.get().load()) : Optional.empty();
    ServerSocketChannel channel = open(resolved, name);
    return new BoundSocket(
        channel,
        false,
        context,
        false,
        false,
        tls.isPresent() ? tls.get().names() : List.of(),
        (context.isPresent() ? "https://" : "http://") + bound(channel, name),
        () -> {});
  }

  static BoundSocket bindForPeople(InetSocketAddress address, SSLContext context)
      throws ListenException {
    InetSocketAddress resolved = resolve(address);
    String name = text(resolved);
    ServerSocketChannel channel = open(resolved, name);
    return new BoundSocket(
        channel,
        false,
        Optional.of(context),
        true,
        false,
        List.of(),
        "https://" + bound(channel, name) + " for people who log in",
        () -> {});
  }

  static BoundSocket bindForScrapers(InetSocketAddress address) throws ListenException {
    InetSocketAddress resolved = resolve(address);
    String name = text(resolved);
    ServerSocketChannel channel = open(resolved, name);
    return new BoundSocket(
        channel,
        false,
        Optional.empty(),
        false,
        true,
        List.of(),
        "http://" + bound(channel, name) + " for scrapers",
        () -> {});
  }

  private static ServerSocketChannel open(InetSocketAddress address, String name)
      throws ListenException {
    try {
      ServerSocketChannel channel = ServerSocketChannel.open();
      try {
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        return channel.bind(address);
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw new ListenException("cannot listen at " + name + ": " + e.getMessage(), e);
    }
  }

  private static InetSocketAddress resolve(InetSocketAddress address) throws ListenException {
    if (!address.isUnresolved()) {
      return address;
    }
    try {
      return new InetSocketAddress(
          InetAddress.getByName(address.getHostString()), address.getPort());
    } catch (UnknownHostException e) {
      throw new ListenException(
          "cannot listen at "
              + address.getHostString()
              + ":"
              + address.getPort()
              + ": the name has no address",
          e);
    }
  }

  static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private static String bound(ServerSocketChannel channel, String asked) {
    try {
      return channel.getLocalAddress() instanceof InetSocketAddress address ? text(address) : asked;
    } catch (IOException e) {
      return asked;
    }
  }
}
