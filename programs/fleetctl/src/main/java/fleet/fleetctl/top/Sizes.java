package fleet.fleetctl.top;

import java.util.Locale;

/** Writes bytes and processors short, as systemd does. */
public final class Sizes {

  private static final long STEP = 1024;
  private static final String UNITS = "BKMGTPE";

  private Sizes() {}

  /** Three digits and a unit of 1024: {@code 512M}, {@code 1.5G}. */
  public static String bytes(long bytes) {
    double size = Math.max(0, bytes);
    int unit = 0;
    while (size >= STEP && unit + 1 < UNITS.length()) {
      size /= STEP;
      unit++;
    }
    String digits =
        size < 10 && unit > 0
            ? String.format(Locale.ROOT, "%.1f", size)
            : String.valueOf(Math.round(size));
    return digits + UNITS.charAt(unit);
  }

  /** Processors, out of thousandths of one: {@code 0.25}. */
  public static String processors(long millis) {
    return millis % 1000 == 0
        ? String.valueOf(millis / 1000)
        : String.format(Locale.ROOT, "%.2f", millis / 1000.0);
  }
}
