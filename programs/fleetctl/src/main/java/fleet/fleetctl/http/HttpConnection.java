package fleet.fleetctl.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketException;
import java.util.Locale;
import java.util.Optional;

/** One connection, one request at a time. Only {@link #close} may be called by another thread. */
final class HttpConnection implements Closeable {

  private final Transport transport;
  private final HttpLines input;
  private final Endpoint endpoint;
  private HttpBody body;
  private boolean lastOne;

  HttpConnection(Transport transport, Endpoint endpoint) {
    this.transport = transport;
    this.endpoint = endpoint;
    this.input = new HttpLines(transport.in());
    this.body = HttpBody.ofLength(input, 0);
  }

  /** Sends a request and reads the head of its answer. */
  HttpAnswer exchange(HttpRequest request) throws IOException {
    send(request);
    awaitAnswer();
    if (input.startsWithTls()) {
      throw new NotHttpException(": it speaks TLS, so write https:// in the endpoint");
    }
    HttpAnswer answer = head();
    while (answer.status() / 100 == 1) {
      answer = head();
    }
    lastOne = answer.header("connection").filter("close"::equalsIgnoreCase).isPresent();
    body = bodyOf(request, answer);
    return answer;
  }

  private void send(HttpRequest request) throws IOException {
    try {
      transport.out().write(request.encode(endpoint));
      transport.out().flush();
    } catch (NotConnectedException e) {
      throw e;
    } catch (IOException e) {
      throw new StaleConnectionException(e);
    }
  }

  /** A server that ends closes its connections, or resets them if something was not read. */
  private void awaitAnswer() throws IOException {
    boolean answered;
    try {
      answered = input.awaitMore();
    } catch (SocketException e) {
      throw new StaleConnectionException(e);
    }
    if (!answered) {
      throw new StaleConnectionException();
    }
  }

  HttpBody body() {
    return body;
  }

  boolean isReusable() {
    return !lastOne && body.isReusable();
  }

  private HttpAnswer head() throws IOException {
    String line = input.ofHead();
    if (!line.startsWith("HTTP/1.") || line.length() < 12) {
      throw new NotHttpException("");
    }
    int status;
    try {
      status = Integer.parseInt(line.substring(9, 12));
    } catch (NumberFormatException e) {
      throw new NotHttpException("", e);
    }
    return new HttpAnswer(status, input.headers(), this);
  }

  private HttpBody bodyOf(HttpRequest request, HttpAnswer answer) throws IOException {
    if (request.method().equals("HEAD") || answer.status() == 204 || answer.status() == 304) {
      return HttpBody.ofLength(input, 0);
    }
    if (answer
        .header("transfer-encoding")
        .filter(how -> how.toLowerCase(Locale.ROOT).contains("chunked"))
        .isPresent()) {
      return HttpBody.chunked(input);
    }
    Optional<String> length = answer.header("content-length");
    if (length.isEmpty()) {
      return HttpBody.untilClose(input);
    }
    try {
      return HttpBody.ofLength(input, Long.parseLong(length.get()));
    } catch (NumberFormatException e) {
      throw new NotHttpException(": bad Content-Length", e);
    }
  }

  @Override
  public void close() throws IOException {
    transport.channel().close();
  }
}
