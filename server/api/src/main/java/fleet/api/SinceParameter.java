package fleet.api;

import fleet.cluster.EventsFrom;
import fleet.core.text.DurationText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** Reads the start of wanted events: a time, how long ago that is, or {@code all}. */
final class SinceParameter {

  private SinceParameter() {}

  /**
   * Reads the parameter.
   *
   * @throws RefusedException if it is none of these
   */
  static EventsFrom parse(String text, Instant now) {
    if (text.equals("all")) {
      return EventsFrom.BEGINNING;
    }
    try {
      return new EventsFrom.Since(
          DurationText.parse(text)
              .map(now::minus)
              .orElseGet(() -> OffsetDateTime.parse(text).toInstant()));
    } catch (DateTimeException e) {
      throw RefusedException.badRequest(
          "invalid since \""
              + text
              + "\": expected a time such as 2026-03-01T10:00:00Z, how long"
              + " ago that is, such as 90s or 1h30m, or all");
    }
  }
}
