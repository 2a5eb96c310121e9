package fleet.api;

import java.util.OptionalInt;

/** Reads numbers in parameters. */
final class WholeNumber {

  private WholeNumber() {}

  /**
   * The value of a parameter that is a number of at least 1.
   *
   * @param otherwise if it is not given
   */
  static int parameter(Exchange exchange, String name, int otherwise) {
    String text = exchange.parameter(name).orElse(Integer.toString(otherwise));
    return of(text, 1)
        .orElseThrow(() ->
            RefusedException.badRequest(
                name + " must be a whole number of at least 1, not " + text));
  }

  /** Empty if the text is not a number, or it is below the minimum. */
  static OptionalInt of(String text, int least) {
    try {
      int number = Integer.parseInt(text);
      return number < least ? OptionalInt.empty() : OptionalInt.of(number);
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }
}
