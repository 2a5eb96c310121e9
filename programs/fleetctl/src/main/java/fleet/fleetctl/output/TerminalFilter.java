package fleet.fleetctl.output;

import fleet.core.text.SingleLine;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes text from elsewhere safe for a terminal: control characters are escaped, so that no unit
 * and no machine moves the cursor, sets the clipboard or fakes a line.
 */
final class TerminalFilter {

  /** Sets colours, and nothing else. */
  private static final Pattern COLOUR = Pattern.compile("\033\\[[0-9;]{0,20}m");

  /** The beginning of one, of which the rest is still to come. */
  private static final Pattern BEGUN = Pattern.compile("\033(?:\\[[0-9;]{0,20})?$");

  private TerminalFilter() {}

  static String plain(String text) {
    return SingleLine.ofEach(text);
  }

  /** Colours stay: for systemctl's output, and for what fleetctl colours itself. */
  static String coloured(String text) {
    Matcher colour = COLOUR.matcher(text);
    StringBuilder shown = new StringBuilder(text.length());
    int done = 0;
    while (colour.find()) {
      shown.append(plain(text.substring(done, colour.start()))).append(colour.group());
      done = colour.end();
    }
    return shown.append(plain(text.substring(done))).toString();
  }

  /**
   * Filters a stream as it comes.
   *
   * @throws IOException as reading throws it
   * @throws UncheckedIOException as the taker throws it
   */
  static void copy(InputStream in, boolean colours, Consumer<String> taker) throws IOException {
    Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8);
    char[] buffer = new char[8192];
    String held = "";
    for (int count = reader.read(buffer); count >= 0; count = reader.read(buffer)) {
      String text = held + new String(buffer, 0, count);
      Matcher begun = BEGUN.matcher(text);
      int end = colours && begun.find() ? begun.start() : text.length();
      held = text.substring(end);
      taker.accept(shown(text.substring(0, end), colours));
    }
    taker.accept(shown(held, colours));
  }

  private static String shown(String text, boolean colours) {
    return colours ? coloured(text) : plain(text);
  }
}
