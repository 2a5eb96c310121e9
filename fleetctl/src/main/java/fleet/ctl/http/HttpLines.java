package fleet.ctl.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The lines of an answer that comes bit by bit. */
public final class HttpLines {

  private final InputStream in;
  private final byte[] buffer = new byte[16 * 1024];
  private int position;
  private int limit;

  public HttpLines(InputStream in) {
    this.in = in;
  }

  /** The next line without its end; waits for it; empty at the end. */
  public Optional<byte[]> next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    while (position < limit || fill()) {
      int from = position;
      while (position < limit && buffer[position] != '\n') {
        position++;
      }
      line.write(buffer, from, position - from);
      if (position < limit) {
        position++;
        return Optional.of(line.toByteArray());
      }
    }
    return Optional.empty();
  }

  /** Whether something more was received already. */
  public boolean hasMore() {
    return position < limit;
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, in.read(buffer, 0, buffer.length));
    return limit > 0;
  }
}
