package fleet.fleetctl.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/**
 * An answer. Its body comes bit by bit on a connection of its own, until it is read whole. Any
 * thread may close it.
 */
public final class HttpAnswer implements Closeable {

  private final int status;
  private final Map<String, String> headers;
  private final HttpConnection connection;
  private byte[] body = {};

  /**
   * The head, before its body is read.
   *
   * @param headers by lower-case name
   */
  HttpAnswer(int status, Map<String, String> headers, HttpConnection connection) {
    this.status = status;
    this.headers = headers;
    this.connection = connection;
  }

  HttpConnection connection() {
    return connection;
  }

  /** All headers by lower-case name. */
  public Map<String, String> headers() {
    return Map.copyOf(headers);
  }

  public int status() {
    return status;
  }

  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** A header or trailer; complete once all was read. */
  Optional<String> headerOrTrailer(String name) {
    return header(name).or(() -> Optional.ofNullable(connection.body().trailers().get(name)));
  }

  /**
   * The exit code of the program that wrote the body, 1 if it cannot be read; complete once all was
   * read. Empty if the answer does not tell it.
   */
  public Optional<Integer> exitStatus() {
    return headerOrTrailer("fleet-exit-status").map(HttpAnswer::exitCode);
  }

  private static int exitCode(String header) {
    try {
      return Integer.parseInt(header.trim());
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  /** The body as it comes. */
  public InputStream stream() {
    return connection.body();
  }

  /** Reads the body, or as much of it. */
  public HttpAnswer readBody(int atMost) throws IOException {
    body = connection.body().readNBytes(atMost);
    return this;
  }

  /** The body that was read whole; empty before. */
  public byte[] body() {
    return body;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
