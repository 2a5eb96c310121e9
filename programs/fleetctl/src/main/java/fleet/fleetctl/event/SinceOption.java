package fleet.fleetctl.event;

import fleet.core.text.DurationText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The start of the wanted events.
 *
 * @param query as the API takes it
 * @param position the id of the last event that is known; empty if a time is given
 */
public record SinceOption(String query, String position) {

  private static final Pattern POSITION = Pattern.compile("[^.]+\\.\\d+");

  /** With all that fleetd remembers. */
  public static final SinceOption ALL = new SinceOption("all", "");

  /** With what happens from now on. */
  public static final SinceOption NOW = new SinceOption("", "");

  /**
   * Reads how long ago, a time (local if it names no zone), or the id of an event. Empty if it is
   * none of these.
   *
   * @param now with the user's zone
   */
  public static Optional<SinceOption> parse(String text, ZonedDateTime now) {
    if (text.equals("all") || DurationText.parse(text).isPresent()) {
      return Optional.of(new SinceOption(text, ""));
    }
    return time(text.trim(), now)
        .map(time -> new SinceOption(time.toString(), ""))
        .or(() ->
            POSITION.matcher(text).matches()
                ? Optional.of(new SinceOption("", text))
                : Optional.empty());
  }

  private static Optional<Instant> time(String text, ZonedDateTime now) {
    String iso = text.replace(' ', 'T');
    if (text.equals("now")) {
      return Optional.of(now.toInstant());
    }
    if (text.equals("today")) {
      return Optional.of(now.toLocalDate().atStartOfDay(now.getZone()).toInstant());
    }
    if (text.equals("yesterday")) {
      return Optional.of(now.toLocalDate().minusDays(1).atStartOfDay(now.getZone()).toInstant());
    }
    return attempt(() -> OffsetDateTime.parse(iso).toInstant())
        .or(() -> attempt(() -> LocalDateTime.parse(iso).atZone(now.getZone()).toInstant()))
        .or(() -> attempt(() -> LocalDate.parse(iso).atStartOfDay(now.getZone()).toInstant()))
        .or(() -> attempt(() -> now.with(LocalTime.parse(iso)).toInstant()));
  }

  /**
   * Reads how long ago, or a time; local if it names no zone. Empty if it is neither.
   *
   * @param now with the user's zone
   */
  public static Optional<Instant> instant(String text, ZonedDateTime now) {
    String ago = text.trim().replaceFirst("^-", "").replaceFirst(" ago$", "");
    return DurationText.parse(ago).map(now.toInstant()::minus).or(() -> time(text.trim(), now));
  }

  private interface Reading {
    Instant read();
  }

  private static Optional<Instant> attempt(Reading reading) {
    try {
      return Optional.of(reading.read());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
