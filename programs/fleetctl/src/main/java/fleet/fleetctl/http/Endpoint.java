package fleet.fleetctl.http;

import java.util.regex.Pattern;

/** Where fleetd listens. */
public sealed interface Endpoint {

  /** The socket of fleet 1.0, which is ours as well. */
  String SOCKET = "/var/run/fleet.sock";

  /** The path before {@code /fleet/v1}; empty or beginning with a slash. */
  String base();

  /** The value of the Host header. */
  String host();

  /** The address as people know it. */
  String text();

  record Unix(String path) implements Endpoint {
    @Override
    public String base() {
      return "";
    }

    @Override
    public String host() {
      return "domain-sock";
    }

    @Override
    public String text() {
      return path;
    }
  }

  record Tcp(String name, int port, boolean tls, String base) implements Endpoint {
    @Override
    public String host() {
      String bracketed = name.indexOf(':') >= 0 ? "[" + name + "]" : name;
      return port == (tls ? 443 : 80) ? bracketed : bracketed + ":" + port;
    }

    @Override
    public String text() {
      return (tls ? "https://" : "http://") + host();
    }
  }

  /**
   * A socket on a machine that ssh reaches.
   *
   * @param user empty for the one that ssh chooses
   * @param port 0 for the one that ssh chooses
   */
  record Ssh(String user, String name, int port, String socket) implements Endpoint {

    /** Neither may look like an option of ssh, nor hold what a shell reads. */
    private static final Pattern USER = Pattern.compile("[\\w.][\\w.@+\\\\-]*");

    private static final Pattern NAME = Pattern.compile("[\\w:][\\w.:%-]*");

    /**
     * Reads {@code [user@]host[:port]}.
     *
     * @throws InvalidEndpointException if the text is none
     */
    public static Ssh of(String text, String socket) throws InvalidEndpointException {
      int at = text.lastIndexOf('@');
      String user = at < 0 ? "" : text.substring(0, at);
      String host = text.substring(at + 1);
      int colon = host.lastIndexOf(':');
      // Several colons without brackets are an address of IPv6.
      boolean hasPort = colon > host.lastIndexOf(']') && host.indexOf(':') == colon;
      hasPort |= colon > 0 && host.charAt(colon - 1) == ']';
      String name = withoutBrackets(hasPort ? host.substring(0, colon) : host);
      if (!NAME.matcher(name).matches() || (at >= 0 && !USER.matcher(user).matches())) {
        throw new InvalidEndpointException("\"" + text + "\" is not [USER@]HOST[:PORT]");
      }
      return new Ssh(
          user, name, hasPort ? Endpoint.port(text, host.substring(colon + 1)) : 0, socket);
    }

    @Override
    public String base() {
      return "";
    }

    @Override
    public String host() {
      return "domain-sock";
    }

    /** The user and the host, as ssh names them. */
    public String place() {
      return (user.isEmpty() ? "" : user + "@")
          + (name.indexOf(':') >= 0 ? "[" + name + "]" : name);
    }

    @Override
    public String text() {
      return "ssh://"
          + place()
          + (port == 0 ? "" : ":" + port)
          + (socket.equals(SOCKET) ? "" : socket);
    }
  }

  /**
   * Reads {@code unix:///path}, {@code file:///path}, {@code http://host:port}, {@code https://} or
   * {@code ssh://user@host}.
   *
   * @throws InvalidEndpointException if the text is none of these
   */
  static Endpoint parse(String text) throws InvalidEndpointException {
    int colon = text.indexOf("://");
    if (colon <= 0) {
      throw new InvalidEndpointException(
          "URL scheme undefined in endpoint \""
              + text
              + "\": use unix:///PATH or http://HOST:PORT");
    }
    String scheme = text.substring(0, colon);
    String rest = text.substring(colon + 3);
    return switch (scheme) {
      case "unix", "file" -> unix(scheme, rest);
      case "http" -> tcp(text, rest, false);
      case "https" -> tcp(text, rest, true);
      case "ssh" -> ssh(rest);
      default ->
          throw new InvalidEndpointException(
              "unknown scheme \"" + scheme + "\" in endpoint: use unix, http, https or ssh");
    };
  }

  private static Endpoint ssh(String rest) throws InvalidEndpointException {
    int slash = rest.indexOf('/');
    String socket = slash < 0 ? "" : withoutLastSlash(rest.substring(slash));
    return Ssh.of(slash < 0 ? rest : rest.substring(0, slash), socket.isEmpty() ? SOCKET : socket);
  }

  private static Endpoint unix(String scheme, String rest) throws InvalidEndpointException {
    int slash = rest.indexOf('/');
    if (slash != 0) {
      String host = slash < 0 ? rest : rest.substring(0, slash);
      throw new InvalidEndpointException(
          "unable to connect to host \"%s\" with scheme \"%s\": write three slashes, as in %s:///%s"
              .formatted(host, scheme, scheme, rest));
    }
    return new Unix(rest);
  }

  private static Endpoint tcp(String text, String rest, boolean tls)
      throws InvalidEndpointException {
    int slash = rest.indexOf('/');
    String authority = slash < 0 ? rest : rest.substring(0, slash);
    String base = slash < 0 ? "" : withoutLastSlash(rest.substring(slash));
    int colon = authority.lastIndexOf(':');
    boolean hasPort = colon > authority.lastIndexOf(']');
    String name = withoutBrackets(hasPort ? authority.substring(0, colon) : authority);
    if (name.isEmpty() || name.indexOf('@') >= 0) {
      throw new InvalidEndpointException("no host in endpoint \"" + text + "\"");
    }
    return new Tcp(
        name, hasPort ? port(text, authority.substring(colon + 1)) : tls ? 443 : 80, tls, base);
  }

  private static String withoutBrackets(String name) {
    return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
  }

  private static String withoutLastSlash(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  private static int port(String text, String digits) throws InvalidEndpointException {
    try {
      int port = Integer.parseInt(digits);
      if (port > 0 && port < 65536) {
        return port;
      }
    } catch (NumberFormatException e) {
      throw new InvalidEndpointException("bad port in endpoint \"" + text + "\"", e);
    }
    throw new InvalidEndpointException("bad port in endpoint \"" + text + "\"");
  }
}
