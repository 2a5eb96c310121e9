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
    if (tls.isEmpty() && !insecure && !resolved.getAddress().isLoopbackAddress()) {
      throw new ListenException(
          "refusing to listen at "
              + text(resolved)
              + ": everybody who reaches it could run commands as root. Set a certificate, key"
              + " and CA for it, or listen on 127.0.0.1, or accept it with insecure_tcp=true");
    }
    if (tls.isEmpty()) {
      return bind(resolved, Optional.empty(), false, false, List.of(), "");
    }
    Optional<SSLContext> context = Optional.of(tls.get().load());
    return bind(resolved, context, false, false, tls.get().names(), "");
  }

  static BoundSocket bindForPeople(InetSocketAddress address, SSLContext context)
      throws ListenException {
    return bind(
        resolve(address), Optional.of(context), true, false, List.of(), " for people who log in");
  }

  static BoundSocket bindForScrapers(InetSocketAddress address) throws ListenException {
    return bind(resolve(address), Optional.empty(), false, true, List.of(), " for scrapers");
  }

  private static BoundSocket bind(
      InetSocketAddress address,
      Optional<SSLContext> context,
      boolean ofCluster,
      boolean forScrapers,
      List<String> names,
      String purpose)
      throws ListenException {
    ServerSocketChannel channel = open(address);
    String scheme = context.isPresent() ? "https://" : "http://";
    return new BoundSocket(
        channel,
        false,
        context,
        ofCluster,
        forScrapers,
        names,
        scheme + bound(channel, text(address)) + purpose,
        () -> {});
  }

  private static ServerSocketChannel open(InetSocketAddress address) throws ListenException {
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
      throw new ListenException("cannot listen at " + text(address) + ": " + e.getMessage(), e);
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
