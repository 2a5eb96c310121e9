package fleet.coordination.store;

import java.net.InetSocketAddress;
import java.util.Optional;

/** An address as {@code host:port}, with brackets around a host of IPv6. */
record HostPort(String host, int port) {

  private static final int LAST_PORT = 65_535;

  /** Empty where the text is none. */
  static Optional<HostPort> parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1) {
      return Optional.empty();
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return port > 0 && port <= LAST_PORT
          ? Optional.of(new HostPort(host, port))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** To connect to; looks a name up. */
  InetSocketAddress resolve() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
