package fleet.core.unit;

import java.util.Optional;

/** The rules of a valid unit name, in fleet 1.0's order and words. */
final class UnitNameRules {

  /** systemd's limit; fleet 1.0 let one character more pass, which no machine could then load. */
  private static final int MAX_LENGTH_OF_SYSTEMD = 255;

  private static final String SPECIAL_CHARACTERS = ":-_.\\@";

  private UnitNameRules() {}

  /** The first rule that the name breaks. */
  static Optional<String> violation(String name) {
    if (name.isEmpty()) {
      return Optional.of("unit name cannot be empty");
    }
    if (name.length() > UnitName.MAX_LENGTH) {
      return Optional.of("unit name exceeds maximum length (" + UnitName.MAX_LENGTH + ")");
    }
    int dot = name.lastIndexOf('.');
    if (dot < 0) {
      return Optional.of("unit name must contain \".\"");
    }
    if (dot == name.length() - 1) {
      return Optional.of("unit name cannot end in \".\"");
    }
    return violationOfType(name, name.substring(dot + 1))
        .or(() -> violationOfCharacters(name, dot));
  }

  private static Optional<String> violationOfType(String name, String suffix) {
    Optional<UnitType> type = UnitType.ofSuffix(suffix);
    if (type.isEmpty()) {
      return Optional.of("invalid unit type: \"" + suffix + "\"");
    }
    if (name.indexOf('@') >= 0 && !type.get().mayBeTemplate()) {
      return Optional.of("invalid unit type for template: \"" + suffix + "\"");
    }
    return Optional.empty();
  }

  private static Optional<String> violationOfCharacters(String name, int dot) {
    for (int i = 0; i < dot; i = name.offsetByCodePoints(i, 1)) {
      int c = name.codePointAt(i);
      if (!isAllowed(c)) {
        return Optional.of("invalid character '" + Character.toString(c) + "' in unit name");
      }
    }
    if (name.charAt(0) == '@') {
      return Optional.of("unit name cannot start in \"@\"");
    }
    if (dot == 0) {
      return Optional.of("unit name must have a part before \"" + name + "\"");
    }
    if (name.charAt(0) == '.') {
      // systemd ignores such files, and fleet keeps files of its own beside those of units.
      return Optional.of("unit name cannot start in \".\"");
    }
    if (name.length() > MAX_LENGTH_OF_SYSTEMD) {
      return Optional.of(
          "unit name of %d characters is too long for systemd (at most %d)"
              .formatted(name.length(), MAX_LENGTH_OF_SYSTEMD));
    }
    return Optional.empty();
  }

  private static boolean isAllowed(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || SPECIAL_CHARACTERS.indexOf(c) >= 0;
  }
}
