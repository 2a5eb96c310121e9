package fleet.core.unit;

import org.jspecify.annotations.Nullable;

/**
 * Expands the specifiers that fleet knows: {@code %n} the full name, {@code %N} the name without
 * its suffix, {@code %p} the prefix, {@code %i} the instance. All else stays as it is.
 */
public final class Specifiers {
  private Specifiers() {}

  /** Whether a text means something else for each unit. */
  public static boolean isIn(String text) {
    int percent = text.indexOf('%');
    while (percent >= 0 && percent + 1 < text.length()) {
      if ("nNpi".indexOf(text.charAt(percent + 1)) >= 0) {
        return true;
      }
      percent = text.indexOf('%', percent + 1);
    }
    return false;
  }

  public static String expand(UnitName unit, String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    StringBuilder expanded = new StringBuilder(text.length() + unit.value().length());
    int copied = 0;
    for (int percent = text.indexOf('%');
        percent >= 0 && percent + 1 < text.length();
        percent = text.indexOf('%', percent + 1)) {
      String value = valueOf(unit, text.charAt(percent + 1));
      if (value != null) {
        expanded.append(text, copied, percent).append(value);
        copied = percent + 2;
      }
    }
    return expanded.append(text, copied, text.length()).toString();
  }

  private static @Nullable String valueOf(UnitName unit, char specifier) {
    return switch (specifier) {
      case 'n' -> unit.value();
      case 'N' -> unit.withoutSuffix();
      case 'p' -> unit.prefix();
      case 'i' -> unit.instance();
      default -> null;
    };
  }
}
