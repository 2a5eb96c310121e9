package fleet.core.text;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.Map;

/** Maps, lists and values as JSON in one line. */
public final class JsonText {

  private JsonText() {}

  /** For people, who read letters of any script as they are. */
  public static String of(Object tree) {
    return of(tree, false);
  }

  /** For logs: all but ASCII is escaped. */
  public static String inAscii(Object tree) {
    return of(tree, true);
  }

  private static String of(Object tree, boolean ascii) {
    return switch (tree) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry ->
                  quoted(String.valueOf(entry.getKey()), ascii) + ":" + of(entry.getValue(), ascii))
              .collect(joining(",", "{", "}"));
      case Collection<?> list ->
          list.stream().map(one -> of(one, ascii)).collect(joining(",", "[", "]"));
      case String text -> quoted(text, ascii);
      default -> String.valueOf(tree);
    };
  }

  private static String quoted(String text, boolean ascii) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (!ascii && (c == '\n' || c == '\t')) {
        quoted.append(c == '\n' ? "\\n" : "\\t");
      } else if (c < ' ' || (c >= 0x7f && (ascii || isControl(c)))) {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Whether some readers take it for a command or the end of a line. */
  private static boolean isControl(char c) {
    return c < 0xa0 || c == 0x2028 || c == 0x2029;
  }
}
