package fleet.engine;

import fleet.coordination.Certainty;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** As certain as a test says. */
final class PlayedCertainty implements Certainty {

  private final AtomicInteger looks = new AtomicInteger();

  volatile boolean certain = true;
  volatile Optional<Duration> ago = Optional.of(Duration.ZERO);

  /** The store was reached that long ago, and that is too long. */
  void lose(Duration since) {
    ago = Optional.of(since);
    certain = false;
  }

  /** The store answers again once that has been looked at so often. */
  void backAfterLooks(int count) {
    looks.set(count);
  }

  @Override
  public boolean isCertain() {
    if (looks.get() > 0 && looks.decrementAndGet() == 0) {
      certain = true;
    }
    return certain;
  }

  @Override
  public Optional<Duration> confirmedAgo() {
    return ago;
  }
}
