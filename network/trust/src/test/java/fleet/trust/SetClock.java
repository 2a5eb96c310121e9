package fleet.trust;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands where a test sets it. */
final class SetClock extends Clock {

  private volatile Instant now;

  SetClock(Instant now) {
    this.now = now;
  }

  /** At this moment, in whole seconds as certificates have them. */
  static SetClock now() {
    return new SetClock(Instant.ofEpochSecond(Instant.now().getEpochSecond()));
  }

  void advance(Duration by) {
    now = now.plus(by);
  }

  SetClock shifted(Duration by) {
    return new SetClock(now.plus(by));
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
