package fleet.fleetd.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code 30s}, {@code 500ms}, {@code 1m30s}, {@code 1.5h}. */
final class GoDuration {
  private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)([a-zµμ]+)");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private GoDuration() {}

  /**
   * @throws IllegalArgumentException for anything that is not a sum of numbers with units, or that
   *     is above 292 years
   */
  static Duration parse(String text) {
    Matcher parts = PART.matcher(text);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (end < text.length()) {
      if (!parts.find(end) || parts.start() != end) {
        throw new IllegalArgumentException(text);
      }
      nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(nanosOf(parts.group(2))));
      end = parts.end();
    }
    if (end == 0 || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(text);
    }
    return Duration.ofNanos(nanos.longValue());
  }

  private static BigDecimal nanosOf(String unit) {
    Long nanos = NANOS.get(unit);
    if (nanos == null) {
      throw new IllegalArgumentException(unit);
    }
    return BigDecimal.valueOf(nanos);
  }
}
