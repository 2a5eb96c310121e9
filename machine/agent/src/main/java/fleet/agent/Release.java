package fleet.agent;

import fleet.coordination.EventLoop;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the removal of all units of this machine. It waits for a unit that does not stop as long
 * as others stop, and some time beyond; then the unit is killed, because the cluster will run it
 * elsewhere. Owned by the agent's event thread.
 */
final class Release {

  /** More than systemd's own time-outs for a stop, and less than fleet.service's. */
  static final Duration PATIENCE = Duration.ofMinutes(4);

  static final Duration AFTER_KILL = Duration.ofSeconds(10);

  /**
   * How long a unit must have been inactive to count as ended, and not to be between two starts, or
   * stopped by a shutdown that stops fleetd as well.
   */
  static final Duration REST = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(Release.class);

  private final EventLoop loop;
  private final Duration patience;
  private final ReleaseProgress progress;
  private final Consumer<Set<UnitName>> kill;
  private final CompletableFuture<Set<UnitName>> end = new CompletableFuture<>();
  private Set<UnitName> left;
  private int all;
  private long progressAt;

  /**
   * @param patience the longest time without progress
   * @param kill kills units that outlast it
   */
  Release(
      EventLoop loop,
      Duration patience,
      ReleaseProgress progress,
      Set<UnitName> units,
      Consumer<Set<UnitName>> kill) {
    this.loop = loop;
    this.patience = patience;
    this.progress = progress;
    this.kill = kill;
    this.left = units;
    this.all = units.size();
    this.progressAt = loop.nanoTime();
    progress.stopped(0, all);
    loop.postAfter(patience, this::lookForProgress);
  }

  /** Completes with the units that are still here. */
  CompletableFuture<Set<UnitName>> end() {
    return end;
  }

  /** Takes note of what is still here. */
  void see(Set<UnitName> now) {
    if (!now.equals(left)) {
      // Units that were just being placed join the others.
      all += (int) now.stream().filter(unit -> !left.contains(unit)).count();
      left = now;
      progressAt = loop.nanoTime();
      progress.stopped(all - left.size(), all);
    }
    if (left.isEmpty()) {
      end.complete(left);
    }
  }

  private void lookForProgress() {
    if (end.isDone()) {
      return;
    }
    Duration still = patience.minusNanos(loop.nanoTime() - progressAt);
    if (still.isPositive()) {
      loop.postAfter(still, this::lookForProgress);
      return;
    }
    log.error("{} did not stop within {} s: killing", left, patience.toSeconds());
    kill.accept(left);
    loop.postAfter(AFTER_KILL, () -> end.complete(left));
  }
}
