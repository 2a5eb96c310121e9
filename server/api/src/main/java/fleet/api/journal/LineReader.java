package fleet.api.journal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads lines up to a bound; it reports longer ones, and reads on. */
final class LineReader {

  private final InputStream in;
  private final int longest;
  private final byte[] buffer = new byte[8 << 10];
  private int position;
  private int limit;

  LineReader(InputStream in, int longest) {
    this.in = in;
    this.longest = longest;
  }

  /**
   * A line without its end.
   *
   * @param bytes cut off at the bound
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Line(byte[] bytes, boolean tooLong) {}

  /** The next line; empty at the end, if an unfinished one is dropped. */
  Optional<Line> next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    boolean tooLong = false;
    while (position < limit || fill()) {
      int from = position;
      while (position < limit && buffer[position] != '\n') {
        position++;
      }
      int room = Math.min(position - from, longest - line.size());
      line.write(buffer, from, room);
      tooLong |= room < position - from;
      if (position < limit) {
        position++;
        return Optional.of(new Line(line.toByteArray(), tooLong));
      }
    }
    return Optional.empty();
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, in.read(buffer, 0, buffer.length));
    return limit > 0;
  }
}
