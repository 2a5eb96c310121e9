package fleet.fleetctl.table;

import fleet.core.text.JsonText;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes maps, lists and values as YAML. */
final class Yaml {

  /** Texts that every reader takes for texts, without quotes. */
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z/_](?:[A-Za-z0-9_./@+\\-]|[ :=,](?=[A-Za-z0-9_./@+\\-]))*");

  /** Words that some readers take for something else than a text. */
  private static final Pattern RESERVED = Pattern.compile("(?i)true|false|yes|no|on|off|y|n|null");

  private final StringBuilder text = new StringBuilder();

  private Yaml() {}

  static String of(Object tree) {
    Yaml yaml = new Yaml();
    if (isNested(tree)) {
      yaml.nested(tree, 0, true);
    } else {
      yaml.text.append(scalar(tree)).append('\n');
    }
    return yaml.text.toString();
  }

  /**
   * Writes entries, a line each.
   *
   * @param fresh whether the first entry begins a line
   */
  private void nested(Object tree, int depth, boolean fresh) {
    boolean begins = fresh;
    if (tree instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        indent(begins ? depth : 0);
        text.append(scalar(String.valueOf(entry.getKey()))).append(':');
        value(entry.getValue(), depth, true);
        begins = true;
      }
    } else if (tree instanceof List<?> list) {
      for (Object element : list) {
        indent(begins ? depth : 0);
        text.append('-');
        value(element, depth, false);
        begins = true;
      }
    }
  }

  /** A map in a list begins behind the dash; everything else that is nested begins a line. */
  private void value(Object value, int depth, boolean ofMap) {
    if (!isNested(value)) {
      text.append(' ').append(scalar(value)).append('\n');
    } else if (ofMap) {
      text.append('\n');
      nested(value, value instanceof List<?> ? depth : depth + 1, true);
    } else {
      text.append(' ');
      nested(value, depth + 1, false);
    }
  }

  private void indent(int depth) {
    text.append("  ".repeat(depth));
  }

  private static boolean isNested(Object value) {
    return (value instanceof Map<?, ?> map && !map.isEmpty())
        || (value instanceof List<?> list && !list.isEmpty());
  }

  private static String scalar(Object value) {
    return value instanceof String string
            && PLAIN.matcher(string).matches()
            && !RESERVED.matcher(string).matches()
        ? string
        : JsonText.of(value);
  }
}
