package fleet.fleetctl.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Lines and bytes, as a connection or an answer brings them. For one thread. */
public final class HttpLines {

  private static final int HEAD_LIMIT = 64 * 1024;
  private static final byte TLS_ALERT = 0x15;

  private final InputStream in;
  private final byte[] buffer = new byte[16 * 1024];
  private int position;
  private int limit;

  public HttpLines(InputStream in) {
    this.in = in;
  }

  /** The next line without its end; waits for it; empty at the end. */
  public Optional<byte[]> next() throws IOException {
    return next(Integer.MAX_VALUE);
  }

  private Optional<byte[]> next(int atMost) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    while (awaitMore()) {
      int from = position;
      while (position < limit && buffer[position] != '\n') {
        position++;
      }
      line.write(buffer, from, position - from);
      if (line.size() > atMost) {
        throw new NotHttpException(": a line of more than 64 KiB");
      }
      if (position < limit) {
        position++;
        return Optional.of(line.toByteArray());
      }
    }
    return Optional.empty();
  }

  /** A line between the parts of an answer, without its end. */
  String ofHead() throws IOException {
    byte[] line =
        next(HEAD_LIMIT)
            .orElseThrow(() -> new EOFException("the connection ended in the middle of an answer"));
    int end = line.length > 0 && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
    return new String(line, 0, end, StandardCharsets.ISO_8859_1);
  }

  /** The headers or trailers that come next, by lower-case name. */
  Map<String, String> headers() throws IOException {
    Map<String, String> headers = new HashMap<>();
    for (String line = ofHead(); !line.isEmpty(); line = ofHead()) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
      }
    }
    return headers;
  }

  /** Whether something more was received already. */
  public boolean hasMore() {
    return position < limit;
  }

  /** Waits for the first byte of what comes next; false if the other side has closed. */
  boolean awaitMore() throws IOException {
    if (position == limit) {
      position = 0;
      limit = Math.max(0, in.read(buffer, 0, buffer.length));
    }
    return limit > 0;
  }

  /** Whether what comes next is an alert of TLS, with which it answers what it does not read. */
  boolean startsWithTls() {
    return hasMore() && buffer[position] == TLS_ALERT;
  }

  /** Reads what is there, at least one byte; -1 at the end. */
  int read(byte[] target, int offset, int length) throws IOException {
    if (!awaitMore()) {
      return -1;
    }
    int count = Math.min(length, limit - position);
    System.arraycopy(buffer, position, target, offset, count);
    position += count;
    return count;
  }
}
