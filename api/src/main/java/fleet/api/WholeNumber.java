package fleet.api;

import java.util.OptionalInt;

/** A number in a parameter. */
final class WholeNumber {

  private WholeNumber() {}

  /** Empty where the text is none, or it is below the least that makes sense. */
  static OptionalInt of(String text, int least) {
    try {
      int number = Integer.parseInt(text);
      return number < least ? OptionalInt.empty() : OptionalInt.of(number);
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }
}
