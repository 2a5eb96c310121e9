package fleet.ctl.command;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times such as {@code 90s}, {@code 30m}, {@code 1h30m}, {@code 24h} and {@code 7d}. */
final class Lifetime {

  private static final Pattern PART = Pattern.compile("([0-9]{1,8})([smhd])");
  private static final Pattern TIME = Pattern.compile("(" + PART.pattern() + "){1,4}");

  private Lifetime() {}

  /** How many seconds a text means. */
  static long seconds(String text) throws CommandException {
    if (!TIME.matcher(text).matches()) {
      throw CommandException.usage(
          "Error: \"" + text + "\" is no time: expect one such as 90s, 30m, 1h30m, 24h or 7d");
    }
    long seconds = 0;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      seconds += Long.parseLong(part.group(1)) * unit(part.group(2));
    }
    return seconds;
  }

  private static long unit(String letter) {
    return switch (letter) {
      case "m" -> 60;
      case "h" -> 3600;
      case "d" -> 86400;
      default -> 1;
    };
  }
}
