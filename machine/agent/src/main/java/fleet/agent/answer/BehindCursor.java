package fleet.agent.answer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/**
 * Entries from a cursor on without the cursor's own, which can only be the first. {@code
 * --after-cursor} does not work: before systemd 255 it leaves out the first matching entry, even if
 * the cursor belongs to a unit that is no longer selected.
 */
final class BehindCursor extends InputStream {

  /** A longer one passes, so that no entry is buffered whole. */
  private static final int LONGEST_LINE = 1 << 20;

  private final InputStream entries;
  private final Pattern own;
  private byte[] first = {};
  private int given;
  private boolean begun;

  BehindCursor(InputStream entries, String cursor) {
    this.entries = entries;
    // Text within a message that looks like the field has its quotes escaped.
    this.own = Pattern.compile("[{,]\\s*\"__CURSOR\"\\s*:\\s*\"" + Pattern.quote(cursor) + "\"");
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (!begun) {
      begun = true;
      byte[] line = line();
      first = own.matcher(new String(line, ISO_8859_1)).find() ? new byte[0] : line;
    }
    if (given == first.length) {
      return entries.read(target, offset, length);
    }
    int count = Math.min(length, first.length - given);
    System.arraycopy(first, given, target, offset, count);
    given += count;
    return count;
  }

  /** With its end, which it lacks if it is the last or too long. */
  private byte[] line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int one = 0;
    while (one != '\n' && line.size() < LONGEST_LINE) {
      one = entries.read();
      if (one < 0) {
        break;
      }
      line.write(one);
    }
    return line.toByteArray();
  }
}
