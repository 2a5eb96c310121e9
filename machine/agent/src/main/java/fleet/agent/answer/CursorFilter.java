package fleet.agent.answer;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Passes lines on but the one with which journalctl tells its cursor. Entries are JSON objects, so
 * a line that begins otherwise is that one. Holds back nothing else.
 */
final class CursorFilter {

  private static final String INTRODUCTION = "-- cursor: ";

  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private boolean atStart = true;
  private boolean holding;

  /** Filters in place, and returns how many bytes are left. */
  int filter(byte[] bytes, int offset, int length) {
    int kept = offset;
    for (int i = offset; i < offset + length; i++) {
      byte one = bytes[i];
      if (atStart) {
        holding = one == '-';
      }
      atStart = one == '\n';
      if (holding) {
        held.write(one);
      } else {
        bytes[kept++] = one;
      }
    }
    return kept - offset;
  }

  /** The cursor, once all has passed; empty if there was none. */
  String cursor() {
    String line = held.toString(StandardCharsets.US_ASCII).strip();
    return line.startsWith(INTRODUCTION) ? line.substring(INTRODUCTION.length()).strip() : "";
  }
}
