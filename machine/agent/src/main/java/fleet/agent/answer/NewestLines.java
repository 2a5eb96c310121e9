package fleet.agent.answer;

import fleet.coordination.PieceInput;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The last lines of a text, and the line with journalctl's cursor if it ends with that. With {@code
 * --grep} or {@code --until}, versions of journalctl differ in what {@code --lines} gives, and in
 * which order. Kept in memory, so the oldest are left out beyond 4 MiB.
 */
final class NewestLines implements PieceInput.Source {

  static final int MOST_BYTES = 4 << 20;

  private final InputStream all;
  private final int count;
  private boolean read;

  NewestLines(InputStream all, int count) {
    this.all = new BufferedInputStream(all);
    this.count = count;
  }

  @Override
  public byte[] next() throws IOException {
    if (read) {
      return new byte[0];
    }
    read = true;
    return collect();
  }

  private byte[] collect() throws IOException {
    Deque<byte[]> lines = new ArrayDeque<>();
    byte[] cursor = {};
    long size = 0;
    for (byte[] line = line(); line.length > 0; line = line()) {
      if (line[0] == '-') {
        cursor = line;
        continue;
      }
      lines.add(line);
      size += line.length;
      while (lines.size() > count || (size > MOST_BYTES && lines.size() > 1)) {
        size -= lines.remove().length;
      }
    }
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    lines.forEach(text::writeBytes);
    text.writeBytes(cursor);
    return text.toByteArray();
  }

  /** With its end, and the middle cut out if it is too long; empty after the last. */
  private byte[] line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int one = all.read(); one >= 0; one = all.read()) {
      if (line.size() < MOST_BYTES || one == '\n') {
        line.write(one);
      }
      if (one == '\n') {
        break;
      }
    }
    return line.toByteArray();
  }
}
