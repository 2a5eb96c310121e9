package fleet.core.requirements;

import fleet.core.unit.UnitType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Well-formed globs that the name of no unit could match, each with what to write instead. */
final class NamePatternRules {

  private static final Pattern IN_NAMES = Pattern.compile("[0-9A-Za-z:_.\\\\@-]");
  private static final Pattern ESCAPED = Pattern.compile("(?<!\\\\)\\\\x[0-9a-f]{2}");
  private static final String STAR = "*";

  private final String pattern;

  /** Each matches one character, but for stars. */
  private final List<String> elements;

  NamePatternRules(Glob glob) {
    pattern = glob.pattern();
    elements = elements(pattern);
  }

  private static List<String> elements(String pattern) {
    List<String> elements = new ArrayList<>();
    int from = 0;
    while (from < pattern.length()) {
      int to = GlobMatcher.endOfElement(pattern, from);
      elements.add(pattern.substring(from, to));
      from = to;
    }
    return elements;
  }

  Optional<String> fault() {
    if (ESCAPED.matcher(pattern).find()) {
      return Optional.of(
          "a backslash takes the next character as it is: write two before each \"x\"");
    }
    for (String element : elements) {
      if (element.startsWith("[!")) {
        return Optional.of("a set of all but some characters begins with \"[^\"");
      }
      if (isOneCharacter(element) && !IN_NAMES.matcher(last(element)).matches()) {
        return Optional.of("no name of a unit has a '" + last(element) + "' in it");
      }
    }
    return Arrays.stream(UnitType.values()).anyMatch(this::mayEndIn)
        ? Optional.empty()
        : Optional.of(withoutType());
  }

  private static boolean isOneCharacter(String element) {
    return !element.equals(STAR) && !element.equals("?") && !element.startsWith("[");
  }

  private static String last(String element) {
    return element.substring(element.length() - 1);
  }

  private boolean mayEndIn(UnitType type) {
    String ending = "." + type.suffix();
    int star = elements.lastIndexOf(STAR);
    int count = Math.min(elements.size() - star - 1, ending.length());
    if (star < 0 && elements.size() <= ending.length()) {
      return false;
    }
    String tail = String.join("", elements.subList(elements.size() - count, elements.size()));
    return new Glob(tail).matches(ending.substring(ending.length() - count));
  }

  private String withoutType() {
    int dot = pattern.lastIndexOf('.');
    String type = pattern.substring(dot + 1);
    return dot >= 0 && new Glob(type).isLiteral()
        ? "no unit is of the type \"%s\"%s"
            .formatted(
                type,
                UnitType.nearest(type)
                    .map(near -> pattern.substring(0, dot + 1) + near.suffix())
                    .map(": did you mean %s?"::formatted)
                    .orElse(""))
        : "each name of a unit ends in its type: did you mean " + pattern + ".service?";
  }
}
