package fleet.core.text;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as people write them: {@code 90s}, {@code 1h30m}, {@code 7d}. */
public final class DurationText {

  private static final Pattern PART = Pattern.compile("([0-9]{1,9})(d|h|ms|m|s)");
  private static final Pattern TEXT = Pattern.compile("(" + PART.pattern() + ")+");

  private DurationText() {}

  /** The duration; empty if the text is none. */
  public static Optional<Duration> parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      return Optional.empty();
    }
    Duration sum = Duration.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      sum = sum.plus(of(Long.parseLong(part.group(1)), part.group(2)));
    }
    return Optional.of(sum);
  }

  private static Duration of(long amount, String unit) {
    return switch (unit) {
      case "d" -> Duration.ofDays(amount);
      case "h" -> Duration.ofHours(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "s" -> Duration.ofSeconds(amount);
      default -> Duration.ofMillis(amount);
    };
  }
}
