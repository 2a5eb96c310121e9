package fleet.fleetctl.command;

import fleet.fleetctl.output.Ages;
import fleet.fleetctl.output.LocalTimes;
import java.time.DateTimeException;
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
    return time.isAfter(now)
        ? LocalTimes.of(expires)
        : "expired " + Ages.since(expires, now) + " ago";
  }
}
