package fleet.fleetctl.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A request. Immutable. */
public final class HttpRequest {

  private final String method;
  private final String path;
  private final List<String> headers;
  private final byte[] body;

  private HttpRequest(String method, String path, List<String> headers, byte[] body) {
    this.method = method;
    this.path = path;
    this.headers = List.copyOf(headers);
    this.body = body;
  }

  /**
   * Reads a resource.
   *
   * @param path with its query, escaped, below the endpoint's base
   */
  public static HttpRequest get(String path) {
    return of("GET", path);
  }

  public static HttpRequest of(String method, String path) {
    return new HttpRequest(method, path, List.of(), new byte[0]);
  }

  public static HttpRequest json(String method, String path, byte[] body) {
    return new HttpRequest(method, path, List.of("Content-Type: application/json"), body.clone());
  }

  /**
   * Sends parameters as a form.
   *
   * @param form escaped as a query is
   */
  public static HttpRequest form(String path, String form) {
    return new HttpRequest(
        "POST",
        path,
        List.of("Content-Type: application/x-www-form-urlencoded"),
        form.getBytes(StandardCharsets.US_ASCII));
  }

  /** Sends bytes as they are. */
  public static HttpRequest bytes(String method, String path, byte[] body) {
    return new HttpRequest(
        method, path, List.of("Content-Type: application/octet-stream"), body.clone());
  }

  /** The same with a body as it is, whose type a header may tell. */
  public HttpRequest withBody(byte[] other) {
    return new HttpRequest(method, path, headers, other.clone());
  }

  public String method() {
    return method;
  }

  public String path() {
    return path;
  }

  public HttpRequest with(String header) {
    List<String> more = new ArrayList<>(headers);
    more.add(header);
    return new HttpRequest(method, path, more, body);
  }

  /** Whether doing it twice does no harm. */
  boolean repeatable() {
    return method.equals("GET");
  }

  /** Whether doing it twice leaves what doing it once does. */
  public boolean isIdempotent() {
    return !method.equals("POST");
  }

  byte[] encode(Endpoint endpoint) {
    StringBuilder text = new StringBuilder(160);
    text.append(method).append(' ').append(endpoint.base()).append(path).append(" HTTP/1.1\r\n");
    text.append("Host: ").append(endpoint.host()).append("\r\nUser-Agent: fleetctl\r\n");
    for (String header : headers) {
      text.append(header).append("\r\n");
    }
    if (body.length > 0 || !method.equals("GET")) {
      text.append("Content-Length: ").append(body.length).append("\r\n");
    }
    byte[] head = text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = new byte[head.length + body.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    return whole;
  }

  /** Escapes what may not stand in a path or query; names need it for their backslashes. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (byte raw : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (raw & 0xff);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (plain || "-_.~@:".indexOf(c) >= 0) {
        escaped.append(c);
      } else {
        escaped.append('%').append("0123456789ABCDEF".charAt(c >> 4));
        escaped.append("0123456789ABCDEF".charAt(c & 15));
      }
    }
    return escaped.toString();
  }
}
