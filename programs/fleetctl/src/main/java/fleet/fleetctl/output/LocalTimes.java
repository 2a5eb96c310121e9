package fleet.fleetctl.output;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** Times for people, where fleetctl runs: {@code 2026-11-25 08:24:38}. */
public final class LocalTimes {

  private LocalTimes() {}

  /** The local time, or the text itself if it is no time in ISO 8601. */
  public static String of(String time) {
    try {
      return Instant.parse(time)
          .atZone(ZoneId.systemDefault())
          .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss"));
    } catch (DateTimeException notATime) {
      return time;
    }
  }
}
