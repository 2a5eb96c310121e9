package fleet.fleetctl.http;

/** Where fleetd listens. */
public sealed interface Endpoint {

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
   * Reads {@code unix:///path}, {@code file:///path}, {@code http://host:port} or {@code https://}.
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
      default ->
          throw new InvalidEndpointException(
              "unknown scheme \"" + scheme + "\" in endpoint: use unix, http or https");
    };
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
    String name = hasPort ? authority.substring(0, colon) : authority;
    if (name.startsWith("[") && name.endsWith("]")) {
      name = name.substring(1, name.length() - 1);
    }
    if (name.isEmpty() || name.indexOf('@') >= 0) {
      throw new InvalidEndpointException("no host in endpoint \"" + text + "\"");
    }
    return new Tcp(
        name, hasPort ? port(text, authority.substring(colon + 1)) : tls ? 443 : 80, tls, base);
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
