package fleet.fleetctl.table;

import java.util.List;

/** The condition of {@code [?(@.state=="lost")]}; without a comparison, that there is a value. */
record PathCondition(ValuePath path, String comparison, Object literal) {

  private static final List<String> COMPARISONS = List.of("==", "!=", "<=", ">=", "<", ">");

  static PathCondition read(PathReader reader) throws InvalidExpressionException {
    reader.skipBlanks();
    ValuePath path = ValuePath.read(reader);
    reader.skipBlanks();
    String comparison = COMPARISONS.stream().filter(reader::takes).findFirst().orElse("");
    if (comparison.isEmpty()) {
      return new PathCondition(path, "", "");
    }
    reader.skipBlanks();
    Object literal = literal(reader);
    reader.skipBlanks();
    return new PathCondition(path, comparison, literal);
  }

  private static Object literal(PathReader reader) throws InvalidExpressionException {
    if (reader.isAtQuote()) {
      return reader.quoted();
    }
    String word = reader.name() + (reader.takes(".") ? "." + reader.name() : "");
    if (word.equals("true") || word.equals("false")) {
      return Boolean.valueOf(word);
    }
    try {
      return Double.valueOf(word);
    } catch (NumberFormatException e) {
      throw reader.invalid("expected a quoted text, a number, true or false");
    }
  }

  boolean holdsFor(Object element) {
    List<Object> values = path.from(element, element);
    if (comparison.isEmpty()) {
      return !values.isEmpty();
    }
    return values.isEmpty()
        ? comparison.equals("!=")
        : values.stream().anyMatch(value -> holds(value));
  }

  private boolean holds(Object value) {
    if (value instanceof Number number && literal instanceof Double other) {
      return holds(Double.compare(number.doubleValue(), other));
    }
    if (value instanceof String text && literal instanceof String other) {
      return holds(text.compareTo(other));
    }
    boolean same = value.equals(literal);
    return comparison.equals("==") ? same : comparison.equals("!=") && !same;
  }

  private boolean holds(int order) {
    return switch (comparison) {
      case "==" -> order == 0;
      case "!=" -> order != 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      default -> order >= 0;
    };
  }
}
