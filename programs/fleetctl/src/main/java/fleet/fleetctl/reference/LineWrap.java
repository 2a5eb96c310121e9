package fleet.fleetctl.reference;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines that are no longer than a width, between words. */
final class LineWrap {

  private LineWrap() {}

  /** The lines of a text; a word that is longer than the width has a line of its own. */
  static List<String> lines(String text, int width) {
    return lines(List.of(text.strip().split("\\s+")), width, width);
  }

  /**
   * The same of parts that stay whole, such as {@code [--fields=LIST]}.
   *
   * @param first the width of the first line
   */
  static List<String> lines(List<String> parts, int first, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String part : parts) {
      int room = lines.isEmpty() ? first : width;
      if (!line.isEmpty() && line.length() + 1 + part.length() > room) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(part);
    }
    lines.add(line.toString());
    return lines;
  }

  /**
   * Splits at blanks that are outside brackets and quotes.
   *
   * @param longest a part that is longer is split inside as well
   */
  static List<String> parts(String text, int longest) {
    List<String> parts = new ArrayList<>();
    for (String part : outside(text, " ")) {
      if (part.length() <= longest) {
        parts.add(part);
      } else {
        parts.addAll(List.of(part.split(" ")));
      }
    }
    return parts;
  }

  /** Splits at a separator that is outside brackets and quotes; leaves out empty parts. */
  static List<String> outside(String text, String separator) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    boolean quoted = false;
    int begin = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      quoted ^= c == '\'';
      depth += quoted ? 0 : c == '[' ? 1 : c == ']' ? -1 : 0;
      if (depth <= 0 && !quoted && text.startsWith(separator, i)) {
        parts.add(text.substring(begin, i));
        begin = i + separator.length();
        i = begin - 1;
      }
    }
    parts.add(text.substring(begin));
    return parts.stream().map(String::strip).filter(part -> !part.isEmpty()).toList();
  }
}
