package fleet.core.requirements;

/**
 * A pattern for unit names: {@code *} and {@code ?} match anything but a slash, {@code [a-z]} and
 * {@code [^x]} one of a set, a backslash takes the next character as it is. A malformed pattern
 * matches nothing.
 */
public record Glob(String pattern) {

  public boolean matches(String text) {
    throw new UnsupportedOperationException(pattern + text);
  }
}
