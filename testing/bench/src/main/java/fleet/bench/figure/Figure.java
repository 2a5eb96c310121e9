package fleet.bench.figure;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.regex.Pattern;

/**
 * One measured value.
 *
 * @param name in snake_case
 * @param value a finite number
 * @param unit such as {@code ms}, {@code MB} or {@code ratio}; one word
 */
public record Figure(String name, double value, String unit) {

  private static final Pattern SNAKE_CASE = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");
  private static final MathContext DIGITS = new MathContext(4);

  public Figure {
    if (!SNAKE_CASE.matcher(name).matches()) {
      throw new IllegalArgumentException("not in snake_case: " + name);
    }
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(name + " is not a number: " + value);
    }
    if (!unit.matches("[a-zA-Z%/]+")) {
      throw new IllegalArgumentException("not a unit: '" + unit + "'");
    }
  }

  /** The value with four significant digits and no exponent. */
  public String shownValue() {
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
  }

  /** {@code name value unit}. */
  @Override
  public String toString() {
    return name + " " + shownValue() + " " + unit;
  }
}
