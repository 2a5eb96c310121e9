package fleet.core.machine;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** Resources in words. */
public final class ResourceText {

  private static final String UNITS = "KMGTPE";
  private static final int STEP = 1024;
  private static final MathContext DIGITS = new MathContext(3);

  private ResourceText() {}

  /** Such as "1.5 cores and 512M of memory"; of what there is none nothing is said. */
  public static String inWords(Resources resources) {
    List<String> parts = new ArrayList<>();
    if (resources.cpuMillis() > 0) {
      String cores = plain(BigDecimal.valueOf(resources.cpuMillis(), 3));
      parts.add(cores + (cores.equals("1") ? " core" : " cores"));
    }
    if (resources.memory() > 0) {
      parts.add(bytes(resources.memory()) + " of memory");
    }
    if (resources.disk() > 0) {
      parts.add(bytes(resources.disk()) + " of disk");
    }
    if (resources.tasks() > 0) {
      parts.add(resources.tasks() + (resources.tasks() == 1 ? " task" : " tasks"));
    }
    return parts.isEmpty() ? "nothing" : String.join(" and ", parts);
  }

  /** In systemd's words, with up to three digits. */
  public static String bytes(long bytes) {
    int power = 0;
    double amount = bytes;
    while (amount >= STEP && power < UNITS.length()) {
      amount /= STEP;
      power++;
    }
    return plain(BigDecimal.valueOf(amount).round(DIGITS))
        + (power == 0 ? "B" : UNITS.charAt(power - 1));
  }

  private static String plain(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }
}
