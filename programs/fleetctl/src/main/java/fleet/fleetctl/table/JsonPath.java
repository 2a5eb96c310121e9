package fleet.fleetctl.table;

import fleet.core.text.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A template as {@code kubectl -o jsonpath} takes it: text, and in braces paths, quoted texts, and
 * {@code {range PATH}...{end}}. A path that leads to several values prints them with blanks
 * between; one that leads nowhere prints nothing.
 */
record JsonPath(List<Part> parts) {

  private sealed interface Part {}

  private record Text(String text) implements Part {}

  private record Value(ValuePath path) implements Part {}

  private record Range(ValuePath path, List<Part> body) implements Part {}

  /**
   * Reads a template; one without braces is a path.
   *
   * @throws InvalidExpressionException with the position
   */
  static JsonPath parse(String template) throws InvalidExpressionException {
    if (template.isBlank()) {
      throw new InvalidExpressionException("the jsonpath is empty: expect one such as {[*].name}");
    }
    String braced = template.indexOf('{') < 0 ? "{" + template + "}" : template;
    PathReader reader = new PathReader(braced);
    List<Part> parts = parts(reader, false);
    return new JsonPath(parts);
  }

  private static List<Part> parts(PathReader reader, boolean inRange)
      throws InvalidExpressionException {
    List<Part> parts = new ArrayList<>();
    while (!reader.isAtEnd()) {
      String text = reader.upTo('{');
      if (!text.isEmpty()) {
        parts.add(new Text(text));
      }
      if (reader.isAtEnd()) {
        break;
      }
      reader.expect("{");
      reader.skipBlanks();
      if (reader.takes("end")) {
        reader.closeBrace();
        if (!inRange) {
          throw reader.invalid("{end} without {range}");
        }
        return parts;
      }
      parts.add(part(reader));
    }
    if (inRange) {
      throw reader.invalid("{range} without {end}");
    }
    return parts;
  }

  private static Part part(PathReader reader) throws InvalidExpressionException {
    if (reader.takes("range")) {
      reader.skipBlanks();
      ValuePath path = ValuePath.read(reader);
      reader.closeBrace();
      return new Range(path, parts(reader, true));
    }
    Part part = reader.isAtQuote() ? new Text(reader.quoted()) : new Value(ValuePath.read(reader));
    reader.closeBrace();
    return part;
  }

  /** The text for a value made of maps, lists, texts, numbers and booleans. */
  String apply(Object tree) {
    StringBuilder text = new StringBuilder();
    apply(parts, tree, tree, text);
    return text.toString();
  }

  private static void apply(List<Part> parts, Object root, Object current, StringBuilder text) {
    for (Part part : parts) {
      switch (part) {
        case Text(String plain) -> text.append(plain);
        case Value(ValuePath path) ->
            text.append(
                path.from(root, current).stream()
                    .map(JsonPath::shown)
                    .collect(Collectors.joining(" ")));
        case Range(ValuePath path, List<Part> body) ->
            path.from(root, current).forEach(each -> apply(body, root, each, text));
      }
    }
  }

  private static String shown(Object value) {
    return value instanceof String text ? text : JsonText.of(value);
  }
}
