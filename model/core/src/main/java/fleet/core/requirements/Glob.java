package fleet.core.requirements;

import org.jspecify.annotations.Nullable;

/**
 * A pattern for unit names: {@code *} and {@code ?} match anything but a slash, {@code [a-z]} and
 * {@code [^x]} one of a set, a backslash takes the next character as it is. A malformed pattern
 * matches nothing.
 *
 * <p>Immutable. Two globs are equal when their patterns are.
 */
public final class Glob {

  /** How to mend a malformed one. */
  static final String REMEDY =
      "close each \"[\", and put a backslash before a \"[\", \"]\" or \"-\" that stands for itself";

  private static final String SPECIAL_CHARACTERS = "*?[\\";

  private final String pattern;
  private final boolean literal;
  private final boolean wellFormed;

  /** The beginning of every text that matches: it rules out most others. */
  private final String prefix;

  public Glob(String pattern) {
    this.pattern = pattern;
    literal = pattern.chars().noneMatch(c -> SPECIAL_CHARACTERS.indexOf(c) >= 0);
    prefix = literal ? pattern : pattern.substring(0, firstSpecial(pattern));
    wellFormed = literal || GlobMatcher.isWellFormed(pattern);
  }

  /** The pattern that matches just this text. */
  public static String quoted(String text) {
    return text.replaceAll("[*?\\[\\\\]", "\\\\$0");
  }

  private static int firstSpecial(String pattern) {
    int at = 0;
    while (SPECIAL_CHARACTERS.indexOf(pattern.charAt(at)) < 0) {
      at++;
    }
    return at;
  }

  public String pattern() {
    return pattern;
  }

  /** Whether this matches just the text that is the pattern itself. */
  public boolean isLiteral() {
    return literal;
  }

  /** The beginning of every text that matches; the pattern itself if this is a literal. */
  public String prefix() {
    return prefix;
  }

  public boolean isWellFormed() {
    return wellFormed;
  }

  /** Whether the pattern matches the whole text. */
  public boolean matches(String text) {
    if (literal) {
      return pattern.equals(text);
    }
    return wellFormed && text.startsWith(prefix) && new GlobMatcher(pattern, text).matches();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Glob glob && pattern.equals(glob.pattern);
  }

  @Override
  public int hashCode() {
    return pattern.hashCode();
  }

  @Override
  public String toString() {
    return pattern;
  }
}
