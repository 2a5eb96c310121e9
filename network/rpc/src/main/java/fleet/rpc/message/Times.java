package fleet.rpc.message;

import java.time.Instant;

/** Moments, as messages have them. */
final class Times {

  private static final long EARLIEST = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
  private static final long LATEST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
  private static final int NANOS_OF_SECOND = 1_000_000_000;

  private Times() {}

  /**
   * A moment of the years that clocks and texts have four digits for: others cannot be reckoned
   * with.
   *
   * @throws MalformedMessageException if it is none
   */
  static Instant of(long seconds, int nanos) throws MalformedMessageException {
    if (seconds < EARLIEST || seconds > LATEST || nanos < 0 || nanos >= NANOS_OF_SECOND) {
      throw new MalformedMessageException(
          "second %d and %d ns are no time of a clock".formatted(seconds, nanos));
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }
}
