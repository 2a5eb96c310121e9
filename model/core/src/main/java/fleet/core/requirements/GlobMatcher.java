package fleet.core.requirements;

/** One match of a well-formed pattern against one text, without recursion. */
final class GlobMatcher {

  private final String pattern;
  private final String text;

  /** Where the element of the pattern that matched last ends. */
  private int elementEnd;

  GlobMatcher(String pattern, String text) {
    this.pattern = pattern;
    this.text = text;
  }

  boolean matches() {
    int p = 0;
    int t = 0;
    int star = -1;
    int starText = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        starText = t;
      } else if (p < pattern.length() && elementMatches(p, text.charAt(t))) {
        p = elementEnd;
        t++;
      } else if (star >= 0 && text.charAt(starText) != '/') {
        // Only the last star needs another try: what stood before it has matched already.
        p = star + 1;
        t = ++starText;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  private boolean elementMatches(int p, char c) {
    char element = pattern.charAt(p);
    if (element == '[') {
      elementEnd = endOfSet(pattern, p);
      return c != '/' && setMatches(p, c);
    }
    elementEnd = element == '\\' ? p + 2 : p + 1;
    return element == '?' ? c != '/' : pattern.charAt(elementEnd - 1) == c;
  }

  private boolean setMatches(int start, char c) {
    boolean negated = pattern.charAt(start + 1) == '^';
    boolean found = false;
    int p = start + (negated ? 2 : 1);
    while (pattern.charAt(p) != ']') {
      p = pattern.charAt(p) == '\\' ? p + 1 : p;
      char low = pattern.charAt(p++);
      char high = low;
      if (pattern.charAt(p) == '-') {
        p = pattern.charAt(p + 1) == '\\' ? p + 2 : p + 1;
        high = pattern.charAt(p++);
      }
      found |= low <= c && c <= high;
    }
    return found != negated;
  }

  static boolean isWellFormed(String pattern) {
    int p = 0;
    while (p < pattern.length()) {
      p = endOfElement(pattern, p);
      if (p < 0 || p > pattern.length()) {
        return false;
      }
    }
    return true;
  }

  /** The index behind an element that begins there; none of the pattern's if it is malformed. */
  static int endOfElement(String pattern, int start) {
    return switch (pattern.charAt(start)) {
      case '\\' -> start + 2;
      case '[' -> endOfSet(pattern, start);
      default -> start + 1;
    };
  }

  /** The index behind a set's closing bracket; -1 if the set is malformed. */
  private static int endOfSet(String pattern, int start) {
    int p = start + 1;
    p = p < pattern.length() && pattern.charAt(p) == '^' ? p + 1 : p;
    int first = p;
    while (p >= 0 && p < pattern.length()) {
      if (pattern.charAt(p) == ']' && p > first) {
        return p + 1;
      }
      p = endOfSetCharacter(pattern, p);
      if (p >= 0 && p < pattern.length() && pattern.charAt(p) == '-') {
        p = endOfSetCharacter(pattern, p + 1);
      }
    }
    return -1;
  }

  private static int endOfSetCharacter(String pattern, int p) {
    if (p >= pattern.length()) {
      return -1;
    }
    return switch (pattern.charAt(p)) {
      case '-', ']' -> -1;
      case '\\' -> p + 1 < pattern.length() ? p + 2 : -1;
      default -> p + 1;
    };
  }
}
