package fleet.core.text;

import java.util.Locale;
import java.util.Optional;

/** A constant of an enum that has a text in the API, in the registry, in metrics or in commands. */
public interface Keyword {

  /** The constant's name in Java. */
  String name();

  /** That name in lower case and with dashes, such as {@code reset-failed}. */
  default String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The one of these constants that has this text. */
  static <K extends Keyword> Optional<K> of(String text, K[] constants) {
    for (K constant : constants) {
      if (constant.text().equals(text)) {
        return Optional.of(constant);
      }
    }
    return Optional.empty();
  }
}
