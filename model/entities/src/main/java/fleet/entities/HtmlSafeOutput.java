package fleet.entities;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Escapes what a browser could take for markup, and the two line ends that JavaScript knows and
 * JSON does not. In JSON these stand within strings only, so that no parsing is needed.
 */
final class HtmlSafeOutput extends FilterOutputStream {

  private static final byte[] LESS = ascii("\\u003c");
  private static final byte[] GREATER = ascii("\\u003e");
  private static final byte[] AMPERSAND = ascii("\\u0026");
  private static final byte[] LINE_SEPARATOR = ascii("\\u2028");
  private static final byte[] PARAGRAPH_SEPARATOR = ascii("\\u2029");

  /** The first bytes of both line ends in UTF-8: {@code E2 80 A8} and {@code E2 80 A9}. */
  private static final byte[] LINE_END_PREFIX = {(byte) 0xE2, (byte) 0x80};

  private int prefixSeen;

  HtmlSafeOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    int end = offset + length;
    for (int i = offset; i < end; i++) {
      if (prefixSeen > 0 || isSpecial(bytes[i])) {
        out.write(bytes, from, i - from);
        writeOne(bytes[i]);
        from = i + 1;
      }
    }
    out.write(bytes, from, end - from);
  }

  @Override
  public void write(int b) throws IOException {
    writeOne((byte) b);
  }

  private static boolean isSpecial(byte b) {
    return b == '<' || b == '>' || b == '&' || b == LINE_END_PREFIX[0];
  }

  private void writeOne(byte b) throws IOException {
    if (prefixSeen == 2 && (b == (byte) 0xA8 || b == (byte) 0xA9)) {
      prefixSeen = 0;
      out.write(b == (byte) 0xA8 ? LINE_SEPARATOR : PARAGRAPH_SEPARATOR);
      return;
    }
    if (prefixSeen < 2 && b == LINE_END_PREFIX[prefixSeen]) {
      prefixSeen++;
      return;
    }
    out.write(LINE_END_PREFIX, 0, prefixSeen);
    prefixSeen = 0;
    switch (b) {
      case '<' -> out.write(LESS);
      case '>' -> out.write(GREATER);
      case '&' -> out.write(AMPERSAND);
      default -> out.write(b);
    }
  }

  /** Leaves the stream below open: it belongs to the caller. */
  @Override
  public void close() throws IOException {
    out.flush();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
