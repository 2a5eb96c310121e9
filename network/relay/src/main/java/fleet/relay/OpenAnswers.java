package fleet.relay;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The finite answers that are being made for other fleetds. Those that never end by themselves do
 * not count: another leader continues them. Safe for use by many threads.
 */
final class OpenAnswers {

  private final Set<SentAnswer> open = new HashSet<>();
  private boolean over;

  /** Whether the answer may be made. */
  synchronized boolean begin(SentAnswer answer) {
    return !over && open.add(answer);
  }

  synchronized void end(SentAnswer answer) {
    open.remove(answer);
    notifyAll();
  }

  /** Lets none begin any more, and returns when those that have begun have ended. */
  synchronized void await(Duration atMost) throws InterruptedException {
    over = true;
    long end = System.nanoTime() + atMost.toNanos();
    for (long left = atMost.toNanos();
        !open.isEmpty() && left > 0;
        left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }
}
