package fleet.ctl.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The receiving side of a connection: lines and bytes. */
final class HttpInput {

  private static final int LINE_LIMIT = 64 * 1024;

  private final InputStream in;
  private final byte[] buffer = new byte[16 * 1024];
  private int position;
  private int limit;

  HttpInput(InputStream in) {
    this.in = in;
  }

  /** A line without its end. */
  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      if (position == limit && !fill()) {
        throw new EOFException("the connection ended in the middle of an answer");
      }
      int from = position;
      while (position < limit && buffer[position] != '\n') {
        position++;
      }
      line.append(new String(buffer, from, position - from, StandardCharsets.ISO_8859_1));
      if (line.length() > LINE_LIMIT) {
        throw new NotHttpException(": a line of more than 64 KiB");
      }
      if (position < limit) {
        position++;
        int end = line.length() - 1;
        if (end >= 0 && line.charAt(end) == '\r') {
          line.setLength(end);
        }
        return line.toString();
      }
    }
  }

  /** Waits for the first byte of what comes next; false where the other side has closed. */
  boolean hasMore() throws IOException {
    return position < limit || fill();
  }

  /** Reads what is there, at least one byte; -1 at the end. */
  int read(byte[] target, int offset, int length) throws IOException {
    if (position == limit && !fill()) {
      return -1;
    }
    int count = Math.min(length, limit - position);
    System.arraycopy(buffer, position, target, offset, count);
    position += count;
    return count;
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, in.read(buffer, 0, buffer.length));
    return limit > 0;
  }
}
