package fleet.coordination;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Loops for which time also passes when a test says so. A test that shows that something does not
 * happen yet gives it hours, so that the time that passes meanwhile does not matter. Safe for use
 * by many threads.
 */
public final class SkippedTime {

  private final List<SkippedLoop> loops = new CopyOnWriteArrayList<>();

  /** As an {@link EventLoop.Factory}. */
  public EventLoop start(String name, Runnable turnEnd) {
    var loop = new SkippedLoop(new EventThread(name, turnEnd));
    loops.add(loop);
    return loop;
  }

  /** Lets so much time pass at once, as {@link SkippedLoop#skip}; closed loops have none. */
  public void skip(Duration time) {
    loops.forEach(loop -> loop.skip(time));
  }
}
