package fleet.ctl.command;

/** Times such as {@code 90s}, {@code 30m}, {@code 24h} and {@code 7d}. */
final class Lifetime {

  private static final int LONGEST = 9;

  private Lifetime() {}

  /** How many seconds a text means. */
  static long seconds(String text) throws CommandException {
    int end = text.length() - 1;
    long unit = end < 1 || end > LONGEST ? 0 : unit(text.charAt(end));
    if (unit == 0 || !text.substring(0, end).chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw CommandException.usage(
          "Error: \"" + text + "\" is no time: expect one such as 90s, 30m, 24h or 7d");
    }
    return Long.parseLong(text.substring(0, end)) * unit;
  }

  private static long unit(char letter) {
    return switch (letter) {
      case 's' -> 1;
      case 'm' -> 60;
      case 'h' -> 3600;
      case 'd' -> 86400;
      default -> 0;
    };
  }
}
