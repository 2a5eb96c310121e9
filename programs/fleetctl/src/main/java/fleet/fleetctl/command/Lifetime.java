package fleet.fleetctl.command;

import fleet.core.text.DurationText;

/** Times such as {@code 90s}, {@code 30m}, {@code 1h30m}, {@code 24h} and {@code 7d}. */
final class Lifetime {

  private Lifetime() {}

  /** How many seconds a text means. */
  static long seconds(String text) throws CommandException {
    return DurationText.parse(text)
        .filter(_ -> !text.contains("ms"))
        .orElseThrow(() ->
            CommandException.usage(
                "Error: \""
                    + text
                    + "\" is no time: expect one such as 90s, 30m, 1h30m, 24h or 7d"))
        .toSeconds();
  }
}
