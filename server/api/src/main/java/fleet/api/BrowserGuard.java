package fleet.api;

import fleet.api.listen.BoundSocket;
import fleet.cluster.request.ApiRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses requests that a web page makes the operator's browser send. A page of another site says
 * so in {@code Origin} or {@code Sec-Fetch-Site}. For DNS rebinding, the browser sees the same
 * site; there {@code Host} gives it away, as it is not a name of this machine. An address needs no
 * name server, so it cannot be rebound.
 *
 * <p>No browser speaks to a unix socket. A proxy may, so changes are checked there as well. Safe
 * for use by many threads.
 */
final class BrowserGuard {

  private static final Logger LOG = LoggerFactory.getLogger(BrowserGuard.class);
  private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");
  private static final Set<String> OWN_PAGES = Set.of("none", "same-origin");

  private final Set<String> names;

  /**
   * @param names by which clients may come besides the machine's own
   */
  BrowserGuard(List<String> names) {
    this.names = names.stream().map(BrowserGuard::plain).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Checks a request that came on a socket.
   *
   * @throws RefusedException with 421 or 403
   */
  void check(BoundSocket socket, ApiRequest request) {
    String host = String.join(",", request.headers(HttpHeader.HOST.asString()));
    List<String> origins = request.headers(HttpHeader.ORIGIN.asString());
    if (socket.isUnix()) {
      if (!request.method().equals("GET") && !origins.stream().allMatch(o -> is(o, host))) {
        throw foreign("changes asked for by pages of other sites are refused");
      }
      return;
    }
    // No browser has a certificate of the cluster, so no name has to be looked at.
    if (!socket.ofCluster() && !host.isEmpty() && !isOwn(host, socket)) {
      throw new RefusedException(421, notOurs(host));
    }
    String scheme = socket.tls().isPresent() ? "https://" : "http://";
    boolean own =
        Stream.of(request.headers("Sec-Fetch-Site")).allMatch(OWN_PAGES::containsAll)
            && origins.stream().allMatch((scheme + host)::equalsIgnoreCase);
    if (!own) {
      throw foreign("requests of pages of other sites are refused");
    }
  }

  private static RefusedException foreign(String why) {
    return new RefusedException(403, why);
  }

  private static String notOurs(String host) {
    return ("\"%s\" is not a name of this machine: ask for an address of it or for localhost, or list the"
            + " name in api_names")
        .formatted(host);
  }

  private static boolean is(String origin, String host) {
    try {
      return host.equalsIgnoreCase(
          Optional.ofNullable(URI.create(origin).getAuthority()).orElse(origin));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean isOwn(String authority, BoundSocket socket) {
    String host;
    try {
      host = plain(new HostPort(authority).getHost());
    } catch (IllegalArgumentException e) {
      return false;
    }
    return host.equals("localhost")
        || isAddress(host)
        || names.contains(host)
        || socket.names().stream().anyMatch(name -> isMeant(plain(name), host))
        || isHostname(host);
  }

  private static String plain(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private static boolean isAddress(String host) {
    try {
      return !InetAddress.ofLiteral(host).getHostAddress().isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Matches as in certificates: a star stands for the first label. */
  private static boolean isMeant(String name, String host) {
    int dot = host.indexOf('.');
    return name.equals(host)
        || (dot > 0 && name.startsWith("*.") && name.substring(1).equals(host.substring(dot)));
  }

  /** With and without its domain. The name may change at any time. */
  private static boolean isHostname(String host) {
    try {
      String own = plain(Files.readString(HOSTNAME).strip());
      return !own.isEmpty() && (host.equals(own) || host.equals(own.split("\\.", 2)[0]));
    } catch (IOException e) {
      LOG.debug("the machine's name cannot be read", e);
      return false;
    }
  }
}
