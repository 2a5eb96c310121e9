package fleet.core.text;

import java.util.Locale;

/** An enum whose constants the API, metrics and messages have by their names in lower case. */
public interface EnumText {

  /** As the enum has it. */
  String name();

  /** Such as {@code unit-destroyed} of {@code UNIT_DESTROYED}. */
  default String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
