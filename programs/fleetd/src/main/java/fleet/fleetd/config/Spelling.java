package fleet.fleetd.config;

import fleet.core.text.EditDistance;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the option that a misspelt key was probably meant to be. */
final class Spelling {
  private Spelling() {}

  /** The nearest option, if no more than a third of the key would have to change. */
  static Optional<Option> nearest(String key) {
    String wanted = key.toLowerCase(Locale.ROOT).replace('-', '_');
    return Arrays.stream(Option.values())
        .min(Comparator.comparingInt(option -> EditDistance.between(wanted, option.key())))
        .filter(option -> EditDistance.between(wanted, option.key()) <= wanted.length() / 3);
  }
}
