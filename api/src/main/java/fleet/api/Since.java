package fleet.api;

import fleet.cluster.EventsFrom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads from when on events are wanted: a time, how long ago that is, or {@code all}. */
final class Since {

  private static final Pattern PART = Pattern.compile("(\\d{1,9})(d|h|ms|m|s)");
  private static final Pattern DURATION = Pattern.compile("(" + PART.pattern() + ")+");

  private Since() {}

  /**
   * Reads the parameter.
   *
   * @throws RefusedException where it is none of these
   */
  static EventsFrom parse(String text, Instant now) {
    if (text.equals("all")) {
      return EventsFrom.BEGINNING;
    }
    try {
      return new EventsFrom.Since(
          DURATION.matcher(text).matches()
              ? now.minus(duration(text))
              : OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      throw RefusedException.badRequest(
          "invalid since \""
              + text
              + "\": expected a time such as 2026-03-01T10:00:00Z, how long"
              + " ago that is, such as 90s or 1h30m, or all");
    }
  }

  private static Duration duration(String text) {
    Duration sum = Duration.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      long amount = Long.parseLong(part.group(1));
      sum =
          sum.plus(
              switch (part.group(2)) {
                case "d" -> Duration.ofDays(amount);
                case "h" -> Duration.ofHours(amount);
                case "m" -> Duration.ofMinutes(amount);
                case "s" -> Duration.ofSeconds(amount);
                default -> Duration.ofMillis(amount);
              });
    }
    return sum;
  }
}
