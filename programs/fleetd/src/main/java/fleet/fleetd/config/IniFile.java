package fleet.fleetd.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of a {@code fleet.conf}, line by line: {@code key = value}, {@code [section]},
 * whole-line comments with {@code #} or {@code ;}. A value may stand in one pair of double or
 * single quotes; only behind a closing quote can a comment follow on the same line, because an
 * unquoted {@code #} may be part of a password.
 *
 * @param entries in the order of the file
 */
record IniFile(List<Entry> entries) {

  /**
   * @param line counted from 1
   * @param section empty for the global section
   * @param key as written
   */
  record Entry(int line, String section, String key, String value) {}

  /**
   * @param name of the file, for messages
   * @throws ConfigurationException for a line that is neither a comment, a section nor an
   *     assignment
   */
  static IniFile parse(String name, String text) throws ConfigurationException {
    List<Entry> entries = new ArrayList<>();
    String section = "";
    int number = 0;
    for (String raw : text.lines().toList()) {
      number++;
      String line = withoutByteOrderMark(raw).strip();
      if (line.isEmpty() || startsComment(line)) {
        continue;
      }
      if (line.startsWith("[") && line.endsWith("]")) {
        section = line.substring(1, line.length() - 1).strip();
        continue;
      }
      int equals = line.indexOf('=');
      if (equals <= 0) {
        throw new ConfigurationException(
            name + ":" + number + ": \"" + line + "\" is not an option: write key=value");
      }
      String key = line.substring(0, equals).strip();
      entries.add(new Entry(number, section, key, unquote(line.substring(equals + 1).strip())));
    }
    return new IniFile(List.copyOf(entries));
  }

  private static String withoutByteOrderMark(String line) {
    return line.startsWith("\uFEFF") ? line.substring(1) : line;
  }

  private static boolean startsComment(String text) {
    return text.startsWith("#") || text.startsWith(";");
  }

  private static String unquote(String value) {
    if (value.isEmpty() || (value.charAt(0) != '"' && value.charAt(0) != '\'')) {
      return value;
    }
    int end = value.indexOf(value.charAt(0), 1);
    if (end < 0) {
      return value;
    }
    String rest = value.substring(end + 1).strip();
    return rest.isEmpty() || startsComment(rest) ? value.substring(1, end) : value;
  }
}
