package fleet.fleetctl.output;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** Lengths of time for people, in one unit: {@code 12s}, {@code 4m}, {@code 3h}, {@code 2d}. */
public final class Ages {

  private Ages() {}

  /** The order of times in ISO 8601, the earliest first; anything else comes before all times. */
  public static Comparator<String> order() {
    return (left, right) -> moment(left).compareTo(moment(right));
  }

  private static Instant moment(String time) {
    return time(time).orElse(Instant.MIN);
  }

  /**
   * The length of time since then, or the text itself if it is no time.
   *
   * @param time in ISO 8601
   * @param now by the clock here, which may be behind the cluster's
   */
  public static String since(String time, Instant now) {
    return time(time).map(then -> text(Duration.between(then, now))).orElse(time);
  }

  /**
   * A time of expiry: itself if it is in the future, otherwise how long ago it was; the text itself
   * if it is no time.
   *
   * @param now by the clock here
   */
  public static String expiry(String time, Instant now) {
    return time(time)
        .map(end -> end.isAfter(now) ? LocalTimes.of(time) : "expired " + since(time, now) + " ago")
        .orElse(time);
  }

  /** A length of time; one below zero is shown as nothing. */
  public static String text(Duration length) {
    if (length.toDays() > 0) {
      return length.toDays() + "d";
    }
    if (length.toHours() > 0) {
      return length.toHours() + "h";
    }
    return length.toMinutes() > 0
        ? length.toMinutes() + "m"
        : Math.max(0, length.toSeconds()) + "s";
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeException notATime) {
      return Optional.empty();
    }
  }
}
