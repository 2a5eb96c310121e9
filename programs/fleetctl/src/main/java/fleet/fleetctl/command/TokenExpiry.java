package fleet.fleetctl.command;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** The expiry of a token, future or past, for people. */
final class TokenExpiry {

  private TokenExpiry() {}

  /**
   * The time itself if it is in the future, otherwise how long ago it was: fleetd lists a token for
   * some time after its expiry.
   *
   * @param now by the clock here
   */
  static String text(String expires, Instant now) {
    Instant time;
    try {
      time = Instant.parse(expires);
    } catch (DateTimeException notUnderstood) {
      return expires;
    }
    return time.isAfter(now) ? expires : "expired " + length(Duration.between(time, now)) + " ago";
  }

  private static String length(Duration time) {
    if (time.toDays() > 0) {
      return time.toDays() + "d";
    }
    if (time.toHours() > 0) {
      return time.toHours() + "h";
    }
    return time.toMinutes() > 0 ? time.toMinutes() + "m" : time.toSeconds() + "s";
  }
}
