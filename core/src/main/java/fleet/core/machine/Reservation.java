package fleet.core.machine;

import fleet.core.unit.UnitFile;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a unit reserves of its machine, in systemd's words: {@code MemoryMax=}, before {@code
 * MemoryHigh=}, and {@code CPUQuota=}.
 */
public final class Reservation {

  private static final List<String> SECTIONS =
      List.of("Service", "Slice", "Scope", "Socket", "Mount", "Swap");
  private static final Pattern SIZE = Pattern.compile("(\\d+)(?:\\.(\\d+))?\\s*([KMGTPE]?)B?");
  private static final Pattern PERCENT = Pattern.compile("(\\d+)(?:\\.(\\d+))?%");
  private static final String UNITS = "KMGTPE";

  private Reservation() {}

  /**
   * Reads a unit's reservation; what it does not limit it does not reserve.
   *
   * @param machine what percentages are of
   */
  public static Resources of(UnitFile file, Resources machine) {
    long memory =
        setting(file, "MemoryMax")
            .or(() -> setting(file, "MemoryHigh"))
            .map(text -> size(text, machine.memory()))
            .orElse(0L);
    long cpu =
        setting(file, "CPUQuota").map(text -> Math.round(10 * percent(text).orElse(0))).orElse(0L);
    return new Resources(cpu, memory, 0);
  }

  /** The last assignment counts; an empty one takes back those before. */
  private static Optional<String> setting(UnitFile file, String name) {
    return SECTIONS.stream()
        .flatMap(section -> file.values(section, name).stream())
        .reduce((earlier, later) -> later)
        .map(String::strip)
        .filter(text -> !text.isEmpty() && !text.equals("infinity"));
  }

  private static long size(String text, long whole) {
    OptionalDouble percent = percent(text);
    if (percent.isPresent()) {
      return (long) (whole * percent.getAsDouble() / 100);
    }
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      return 0;
    }
    int power = size.group(3).isEmpty() ? 0 : 1 + UNITS.indexOf(size.group(3));
    return (long) (decimal(size) * Math.pow(1024, power));
  }

  private static OptionalDouble percent(String text) {
    Matcher percent = PERCENT.matcher(text);
    return percent.matches() ? OptionalDouble.of(decimal(percent)) : OptionalDouble.empty();
  }

  private static double decimal(Matcher number) {
    String fraction = number.group(2) == null ? "0" : number.group(2);
    return Double.parseDouble(number.group(1) + "." + fraction);
  }
}
