package fleet.fleetctl.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Leads from a value to others: {@code .name}, {@code ['a.b']}, {@code [*]}, {@code [0]}, {@code
 * [-1]}, {@code [1:3]}, {@code [?(@.state=="lost")]}. A path that begins with {@code $} starts at
 * the whole.
 */
record ValuePath(boolean absolute, List<Step> steps) {

  /** One step from a value. */
  private interface Step {
    Stream<?> from(Object value);
  }

  static ValuePath read(PathReader reader) throws InvalidExpressionException {
    boolean absolute = reader.takes("$");
    boolean relative = !absolute && reader.takes("@");
    List<Step> steps = new ArrayList<>();
    while (reader.isAt('.') || reader.isAt('[')) {
      steps.add(reader.takes("[") ? bracket(reader) : field(reader));
    }
    if (steps.isEmpty() && !absolute && !relative) {
      throw reader.invalid("expected a path such as .name or [*].name");
    }
    return new ValuePath(absolute, steps);
  }

  private static Step field(PathReader reader) throws InvalidExpressionException {
    reader.expect(".");
    if (reader.takes("*")) {
      return ValuePath::all;
    }
    String name = reader.name();
    // A dot alone is the value itself.
    return name.isEmpty() ? value -> Stream.of(value) : value -> entry(value, name);
  }

  private static Step bracket(PathReader reader) throws InvalidExpressionException {
    Step step;
    if (reader.takes("*")) {
      step = ValuePath::all;
    } else if (reader.takes("?(")) {
      PathCondition condition = PathCondition.read(reader);
      reader.expect(")");
      step = value -> all(value).filter(condition::holdsFor);
    } else if (reader.isAtQuote()) {
      String name = reader.quoted();
      step = value -> entry(value, name);
    } else {
      step = elements(reader);
    }
    reader.expect("]");
    return step;
  }

  private static Step elements(PathReader reader) throws InvalidExpressionException {
    Optional<Integer> first = number(reader);
    if (!reader.takes(":")) {
      int index =
          first.orElseThrow(() -> reader.invalid("expected a number, *, a quoted name or ?("));
      return value -> slice(value, index, index == -1 ? Integer.MAX_VALUE : index + 1);
    }
    int from = first.orElse(0);
    int to = number(reader).orElse(Integer.MAX_VALUE);
    return value -> slice(value, from, to);
  }

  private static Optional<Integer> number(PathReader reader) throws InvalidExpressionException {
    String digits = reader.name();
    if (digits.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Integer.valueOf(digits));
    } catch (NumberFormatException e) {
      throw reader.invalid("\"" + digits + "\" is not a number");
    }
  }

  private static Stream<?> entry(Object value, String name) {
    return value instanceof Map<?, ?> map ? Stream.ofNullable(map.get(name)) : Stream.empty();
  }

  private static Stream<?> all(Object value) {
    return switch (value) {
      case List<?> list -> list.stream();
      case Map<?, ?> map -> map.values().stream();
      default -> Stream.empty();
    };
  }

  /** Negative numbers count from the end. */
  private static Stream<?> slice(Object value, int from, int to) {
    if (!(value instanceof List<?> list)) {
      return Stream.empty();
    }
    int first = from < 0 ? list.size() + from : from;
    int end = to < 0 ? list.size() + to : Math.min(to, list.size());
    return first < 0 || first >= end ? Stream.empty() : list.subList(first, end).stream();
  }

  /**
   * The values that it leads to.
   *
   * @param root the whole
   * @param current the value in turn
   */
  List<Object> from(Object root, Object current) {
    Stream<Object> values = Stream.of(absolute ? root : current);
    for (Step step : steps) {
      values = values.flatMap(step::from);
    }
    return values.toList();
  }
}
