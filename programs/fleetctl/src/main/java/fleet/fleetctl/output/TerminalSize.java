package fleet.fleetctl.output;

import java.util.Map;

/**
 * The size of the terminal that standard output goes to. The launcher asks for it and hands it on
 * in {@code FLEETCTL_TERMINAL}, since that costs a Java runtime more.
 *
 * @param rows without a limit if nobody knows
 * @param columns without a limit if nobody knows
 */
public record TerminalSize(int rows, int columns) {

  private static final TerminalSize UNKNOWN =
      new TerminalSize(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /** Reads the variable, whose value is as that of {@code stty size}. */
  public static TerminalSize of(Map<String, String> environment) {
    String[] size = environment.getOrDefault("FLEETCTL_TERMINAL", "").split(" ", -1);
    try {
      // A terminal without a window, such as a serial line, says 0.
      return size.length == 2 ? new TerminalSize(atLeast(size[0]), atLeast(size[1])) : UNKNOWN;
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }

  private static int atLeast(String number) {
    int value = Integer.parseInt(number);
    return value <= 0 ? Integer.MAX_VALUE : value;
  }
}
