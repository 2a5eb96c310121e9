package fleet.fleetctl.client;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/** Since when an answer may be old. */
final class Staleness {

  /** In lower case, with a time as of RFC 3339. */
  static final String HEADER = "fleet-stale-since";

  private Staleness() {}

  /** The time where this runs, and the day if it is another. */
  static String inWords(String since) {
    try {
      ZonedDateTime time = Instant.parse(since).atZone(ZoneId.systemDefault());
      boolean today = time.toLocalDate().equals(LocalDate.now(ZoneId.systemDefault()));
      return time.format(DateTimeFormatter.ofPattern(today ? "HH:mm:ss" : "yyyy-MM-dd HH:mm:ss"));
    } catch (DateTimeParseException e) {
      return since;
    }
  }
}
