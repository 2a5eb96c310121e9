package fleet.core.unit;

import java.util.Optional;

/**
 * Cuts the text of a unit file into the lines that systemd sees: a line that ends in a backslash
 * continues in the next one that is no comment. A comment ends with its line. Line ends are those
 * of Unix, of Windows and of old Macintoshes. A byte order mark is dropped at the start of every
 * line; systemd drops the first one only, but concatenated files have more, by accident.
 */
final class LogicalLines {

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final String text;
  private int position;
  private int lines;

  /**
   * A line, or several of which each but the last ends in a backslash or is a comment.
   *
   * @param number of its first line in the file, from 1
   * @param text its lines as they are written, with {@code \n} between them
   * @param isLast whether the file ends with it, without a line end
   */
  record LogicalLine(int number, String text, boolean isLast) {}

  LogicalLines(String text) {
    this.text = text;
  }

  /** The next line that is no comment; empty at the end. */
  Optional<LogicalLine> next() {
    while (position < text.length()) {
      String line = nextLine();
      if (!Continuation.isComment(line)) {
        int number = lines;
        String whole = Continuation.isOpenAtEndOf(line) ? continued(line) : line;
        return Optional.of(new LogicalLine(number, whole, endsOpen()));
      }
    }
    return Optional.empty();
  }

  private String continued(String first) {
    StringBuilder whole = new StringBuilder(first);
    boolean goesOn = true;
    while (goesOn && position < text.length()) {
      String line = nextLine();
      whole.append('\n').append(line);
      goesOn = Continuation.isComment(line) || Continuation.isOpenAtEndOf(line);
    }
    return whole.toString();
  }

  private boolean endsOpen() {
    return position == text.length() && !isLineEnd(text.charAt(position - 1));
  }

  private String nextLine() {
    int start = text.charAt(position) == BYTE_ORDER_MARK ? position + 1 : position;
    int end = start;
    while (end < text.length() && !isLineEnd(text.charAt(end))) {
      end++;
    }
    position = behindLineEnd(end);
    lines++;
    return text.substring(start, end);
  }

  /** A line feed and a carriage return beside each other are one line end, in either order. */
  private int behindLineEnd(int end) {
    if (end == text.length()) {
      return end;
    }
    boolean isPair =
        end + 1 < text.length()
            && isLineEnd(text.charAt(end + 1))
            && text.charAt(end + 1) != text.charAt(end);
    return isPair ? end + 2 : end + 1;
  }

  private static boolean isLineEnd(char c) {
    return c == '\n' || c == '\r';
  }
}
