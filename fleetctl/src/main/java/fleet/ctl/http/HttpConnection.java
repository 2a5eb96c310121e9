package fleet.ctl.http;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** One connection, one request at a time. Only {@link #close} may be called by another thread. */
final class HttpConnection implements Closeable {

  private final Transport transport;
  private final HttpInput input;
  private final Endpoint endpoint;
  private HttpBody body;
  private boolean lastOne;

  HttpConnection(Transport transport, Endpoint endpoint) {
    this.transport = transport;
    this.endpoint = endpoint;
    this.input = new HttpInput(transport.in());
    this.body = HttpBody.ofLength(input, 0);
  }

  /** Sends a request and reads the head of its answer. */
  HttpReply exchange(HttpRequest request) throws IOException {
    send(request);
    if (!input.hasMore()) {
      throw new StaleConnectionException();
    }
    HttpReply reply = head();
    while (reply.status() / 100 == 1) {
      reply = head();
    }
    lastOne = reply.header("connection").filter("close"::equalsIgnoreCase).isPresent();
    body = bodyOf(request, reply);
    return reply;
  }

  private void send(HttpRequest request) throws IOException {
    try {
      transport.out().write(request.encode(endpoint));
      transport.out().flush();
    } catch (IOException e) {
      throw new StaleConnectionException(e);
    }
  }

  HttpBody body() {
    return body;
  }

  boolean isReusable() {
    return !lastOne && body.isReusable();
  }

  private HttpReply head() throws IOException {
    String line = input.line();
    if (!line.startsWith("HTTP/1.") || line.length() < 12) {
      throw new NotHttpException("");
    }
    int status;
    try {
      status = Integer.parseInt(line.substring(9, 12));
    } catch (NumberFormatException e) {
      throw new NotHttpException("", e);
    }
    Map<String, String> headers = new HashMap<>();
    for (String header = input.line(); !header.isEmpty(); header = input.line()) {
      int colon = header.indexOf(':');
      if (colon > 0) {
        headers.put(
            header.substring(0, colon).toLowerCase(Locale.ROOT),
            header.substring(colon + 1).trim());
      }
    }
    return new HttpReply(status, headers);
  }

  private HttpBody bodyOf(HttpRequest request, HttpReply reply) throws IOException {
    if (request.method().equals("HEAD") || reply.status() == 204 || reply.status() == 304) {
      return HttpBody.ofLength(input, 0);
    }
    if (reply
        .headers()
        .getOrDefault("transfer-encoding", "")
        .toLowerCase(Locale.ROOT)
        .contains("chunked")) {
      return HttpBody.chunked(input);
    }
    String length = reply.headers().get("content-length");
    if (length == null) {
      return HttpBody.untilClose(input);
    }
    try {
      return HttpBody.ofLength(input, Long.parseLong(length));
    } catch (NumberFormatException e) {
      throw new NotHttpException(": bad Content-Length", e);
    }
  }

  @Override
  public void close() throws IOException {
    transport.channel().close();
  }
}
