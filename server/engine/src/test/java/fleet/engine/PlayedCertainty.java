package fleet.engine;

import fleet.coordination.Certainty;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** As certain as a test says. */
final class PlayedCertainty implements Certainty {

  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicReference<Runnable> atNextLook = new AtomicReference<>(() -> {});

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

  /** So happens just before somebody looks. */
  void atNextLook(Runnable happens) {
    atNextLook.set(happens);
  }

  @Override
  public boolean isCertain() {
    atNextLook.getAndSet(() -> {}).run();
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
