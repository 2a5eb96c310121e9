package fleet.fleetctl.output;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times for people, where fleetctl runs: {@code 2026-11-25 08:24:38}. */
public final class LocalTimes {

  /** A time in UTC as the API writes it, unless it is a string of JSON. */
  private static final Pattern UTC =
      Pattern.compile("(?<![\\w\"-])\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d)?(\\.\\d+)?Z\\b");

  private LocalTimes() {}

  /** Replaces the times in a text for people, such as the reason of a wait. */
  public static String in(String text) {
    return UTC.matcher(text).replaceAll(found -> Matcher.quoteReplacement(of(found.group())));
  }

  /** The local time, or the text itself if it is no time in ISO 8601. */
  public static String of(String time) {
    return of(time, false);
  }

  /** The same, without the day if that is today. */
  public static String brief(String time) {
    return of(time, true);
  }

  private static String of(String time, boolean brief) {
    try {
      ZonedDateTime local = Instant.parse(time).atZone(ZoneId.systemDefault());
      boolean today = brief && local.toLocalDate().equals(LocalDate.now(local.getZone()));
      return local.format(DateTimeFormatter.ofPattern(today ? "HH:mm:ss" : "yyyy-MM-dd HH:mm:ss"));
    } catch (DateTimeException notATime) {
      return time;
    }
  }
}
