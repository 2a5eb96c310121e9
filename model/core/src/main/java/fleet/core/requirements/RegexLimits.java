package fleet.core.requirements;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits the size of regular expressions. Compiling one takes stack in proportion to its nesting,
 * and memory in proportion to its repetitions: without limits, a short expression overflows the
 * stack of an engine, or takes all of its memory. Estimates both from the text alone, and never too
 * low.
 */
final class RegexLimits {

  static final int LENGTH = 1_000;

  /** Parentheses, and the numbers in braces: {@code x{0,3}} becomes three optional parts in one. */
  static final int DEPTH = 300;

  /** Characters with all repetitions written out. */
  static final int SIZE = 20_000;

  /** A group may hold a repetition, and then the two multiply. */
  private static final Pattern REPETITION =
      Pattern.compile("(?<group>\\))?\\{(?<least>\\d{1,4})(?:,(?<most>\\d{0,4}))?\\}");

  /** Limits the same size for all {@code Affinity=} values of a unit together. */
  static final int SIZE_IN_ALL = 100_000;

  private RegexLimits() {}

  /** Says why the expression is refused, and how to mend it; empty if it is within the limits. */
  static Optional<String> fault(String regex) {
    if (regex.length() > LENGTH) {
      return tooLarge("has %d characters, and may have %d".formatted(regex.length(), LENGTH));
    }
    long depth = regex.chars().filter(c -> c == '(').count();
    Matcher repetition = REPETITION.matcher(regex);
    while (repetition.find()) {
      depth += times(repetition);
    }
    if (depth > DEPTH) {
      return tooLarge(
          "is nested and repeated %d times, and may be %d times".formatted(depth, DEPTH));
    }
    return size(regex) > SIZE
        ? tooLarge("has more than %d characters with its repetitions written out".formatted(SIZE))
        : Optional.empty();
  }

  /** How many characters a text may have once its repetitions are written out. */
  static long size(String text) {
    long single = 1;
    long groups = 1;
    Matcher repetition = REPETITION.matcher(text);
    while (repetition.find()) {
      if (repetition.group("group") == null) {
        single = Math.max(single, times(repetition));
      } else {
        groups = Math.min(SIZE_IN_ALL, groups * times(repetition));
      }
    }
    return text.length() * single * groups;
  }

  private static long times(Matcher repetition) {
    String most = repetition.group("most");
    return Math.max(
        1, Long.parseLong(most == null || most.isEmpty() ? repetition.group("least") : most));
  }

  private static Optional<String> tooLarge(String what) {
    return Optional.of(
        "the regular expression " + what + ": write a simpler one, or several values with \"in\"");
  }
}
