package fleet.fleetctl.command;

import fleet.core.text.DurationText;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the time of an option: {@code 90s}, {@code 1h30m}, or a number of seconds. */
final class DurationConverter implements ITypeConverter<Duration> {

  /** Enough for any number of seconds that makes sense. */
  private static final int MOST_DIGITS = 12;

  /** Reads a bare number without a pattern, as every command has one by default. */
  @Override
  public Duration convert(String text) {
    if (isNumber(text)) {
      return Duration.ofMillis(millis(text));
    }
    Optional<Duration> duration = DurationText.parse(text);
    if (duration.isEmpty()) {
      throw new TypeConversionException(
          "'%s' is not a duration: write one such as 10s, 5m or 1h30m".formatted(text));
    }
    return duration.get();
  }

  /** Not by BigDecimal, whose tables take 10 ms to make: every command has such a time. */
  private static long millis(String seconds) {
    int point = seconds.indexOf('.');
    String whole = point < 0 ? seconds : seconds.substring(0, point);
    String fraction = point < 0 ? "" : seconds.substring(point + 1);
    return Long.parseLong("0" + whole) * 1000 + Long.parseLong((fraction + "000").substring(0, 3));
  }

  private static boolean isNumber(String text) {
    int point = text.indexOf('.');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (i != point && (c < '0' || c > '9')) {
        return false;
      }
    }
    return !text.isEmpty() && !text.equals(".") && text.length() <= MOST_DIGITS;
  }
}
