package fleet.core.machine;

import java.util.Optional;

/**
 * An address as {@code host:port}, with brackets around a host of IPv6.
 *
 * @param host name or address
 */
public record HostPort(String host, int port) {

  private static final int LAST_PORT = 65_535;

  /** Empty if the text is none. */
  public static Optional<HostPort> parse(String text) {
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

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
