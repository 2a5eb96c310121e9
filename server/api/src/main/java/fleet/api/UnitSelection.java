package fleet.api;

import static java.util.stream.Collectors.toCollection;

import fleet.core.requirements.Glob;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Units chosen by parameters, existing or not.
 *
 * @param names in the order in which they were given
 * @param patterns of names
 */
record UnitSelection(Set<UnitName> names, List<Glob> patterns) {

  UnitSelection {
    names = Collections.unmodifiableSet(new LinkedHashSet<>(names));
    patterns = List.copyOf(patterns);
  }

  /**
   * Reads parameters.
   *
   * @throws RefusedException if one is neither a name nor a pattern
   */
  static UnitSelection of(List<String> texts) {
    return new UnitSelection(
        texts.stream()
            .filter(text -> !isPattern(text))
            .map(UnitSelection::name)
            .collect(toCollection(LinkedHashSet::new)),
        texts.stream().filter(UnitSelection::isPattern).map(UnitSelection::pattern).toList());
  }

  /** Names may hold a backslash, which has a meaning in patterns. */
  private static boolean isPattern(String text) {
    return text.chars().anyMatch(c -> "*?[".indexOf(c) >= 0);
  }

  private static UnitName name(String text) {
    try {
      return UnitName.of(text);
    } catch (InvalidUnitNameException e) {
      throw RefusedException.badRequest("invalid unit \"" + text + "\": " + e.getMessage());
    }
  }

  private static Glob pattern(String text) {
    Glob pattern = new Glob(text);
    if (!pattern.isWellFormed()) {
      throw RefusedException.badRequest("invalid unit \"" + text + "\": malformed pattern");
    }
    return pattern;
  }

  boolean isEmpty() {
    return names.isEmpty() && patterns.isEmpty();
  }

  boolean has(UnitName unit) {
    return names.contains(unit) || patterns.stream().anyMatch(glob -> glob.matches(unit.value()));
  }
}
